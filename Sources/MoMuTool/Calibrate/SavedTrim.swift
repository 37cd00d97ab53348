import MoMu

/// A trim on its way into the configuration file, with the device it was measured on.
struct SavedTrim {
  let trim: Double
  /// The device if one was named; a default stays whatever it is.
  let audio: String?

  /// Puts both into the file, whatever else is in there.
  ///
  /// - Returns: a line that says what was kept and where.
  /// - Throws: `ToolError.cannotWrite`.
  func write(_ environment: [String: String]) throws(ToolError) -> String {
    guard let path = Configuration.path(environment) else {
      throw .cannotWrite(path: "the configuration", reason: "neither HOME nor XDG_CONFIG_HOME is set")
    }
    let old = WholeFile.text(of: path, bytes: 1 << 20) ?? "{}\n"
    if let reason = WholeFile.write(text(old), to: path, isPrivate: false) {
      throw .cannotWrite(path: path, reason: reason)
    }
    return "kept in \(path): trim \(trim)" + (audio.map { ", audio \($0)" } ?? "")
  }

  /// The file's text with both set, and its layout left as it is.
  func text(_ old: String) -> String {
    var text = Self.setting("trim", to: "\(trim)", in: old)
    if let audio { text = Self.setting("audio", to: JSONValue.text(audio).description, in: text) }
    return text
  }

  /// A flat JSON object with one member changed, or added in front.
  private static func setting(_ key: String, to value: String, in text: String) -> String {
    // A quote inside a string has a backslash before it: the key in quotes stands nowhere but as a key, or as a
    // whole string, which no colon follows.
    let member = #/("(?:[^"\\]|\\.)*")(\s*:\s*)("(?:[^"\\]|\\.)*"|[^,}\s]+)/#
    for match in text.matches(of: member) where match.output.1 == "\"\(key)\"" {
      return text[..<match.output.3.startIndex] + value + text[match.output.3.endIndex...]
    }
    guard let brace = text.firstIndex(of: "{") else { return "{\"\(key)\": \(value)}\n" }
    let rest = text[text.index(after: brace)...]
    let space = rest.prefix { $0.isWhitespace }
    let isEmpty = rest[space.endIndex...].first == "}"
    let gap = space.isEmpty ? " " : space
    return text[...brace] + space + "\"\(key)\": \(value)" + (isEmpty ? "" : "," + gap)
      + rest[space.endIndex...]
  }
}
