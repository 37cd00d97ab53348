import MoMu

/// A trim to save in the configuration file, with the device that it was measured on.
struct SavedTrim {
  let trim: Double
  /// The device, if the user gave a device; nil to keep the device in the file.
  let audio: String?

  /// Writes the trim and the device to the configuration file, and keeps the file's other settings.
  ///
  /// - Returns: a line with the saved values and the file's path.
  /// - Throws: `ToolError.cannotWrite`.
  func write(_ environment: [String: String]) throws(ToolError) -> String {
    guard let path = Configuration.path(environment) else {
      throw .cannotWrite(path: "the configuration", reason: "neither HOME nor XDG_CONFIG_HOME is set")
    }
    let old = WholeFile.text(of: path, bytes: 1 << 20) ?? "{}\n"
    if let reason = WholeFile.write(text(old), to: path, isPrivate: false) {
      throw .cannotWrite(path: path, reason: reason)
    }
    return "saved in \(path): trim \(trim)" + (audio.map { ", audio \($0)" } ?? "")
  }

  /// Returns the text of the configuration file with the new trim and device; its layout is unchanged.
  ///
  /// - Parameter old: the present text of the file.
  func text(_ old: String) -> String {
    var text = Self.setting("trim", to: "\(trim)", in: old)
    if let audio { text = Self.setting("audio", to: JSONValue.text(audio).description, in: text) }
    return text
  }

  /// Returns the text of a flat JSON object with a new value for the member `key`.
  ///
  /// If the object has no member with this key, a new member is inserted before the other members.
  private static func setting(_ key: String, to value: String, in text: String) -> String {
    // A quote inside a string is escaped. So the quoted key occurs only as a key, or as a whole string value, which
    // has no colon after it.
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
