import MoProgram

/// A configuration's lines, as `name = value` under `[headings]`.
///
/// Written on any machine: with a byte order mark, with Windows' line ends, with spaces and comments wherever.
struct RigText: Sendable {
  enum Line: Equatable, Sendable {
    case heading(String)
    case setting(String, String)
    case unreadable(String)
  }

  /// Each line that says something, with its number.
  let lines: [(number: Int, line: Line)]

  init(_ text: String) {
    var lines: [(Int, Line)] = []
    var number = 0
    let text = text.hasPrefix("\u{FEFF}") ? text.dropFirst() : text[...]
    for raw in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
      number += 1
      let text = RigText.trimmed(RigText.withoutComment(raw))
      if text.isEmpty { continue }
      lines.append((number, RigText.read(text)))
    }
    self.lines = lines
  }

  private static func read(_ text: Substring) -> Line {
    if text.first == "[" {
      guard text.last == "]", text.count > 2 else { return .unreadable(String(text)) }
      return .heading(trimmed(text.dropFirst().dropLast()).lowercased())
    }
    guard let equals = text.firstIndex(of: "=") else { return .unreadable(String(text)) }
    let name = trimmed(text[..<equals])
    let value = trimmed(text[text.index(after: equals)...])
    guard !name.isEmpty else { return .unreadable(String(text)) }
    return .setting(name.lowercased(), String(value))
  }

  /// A `#` or `;` begins a comment at the line's start or behind a space: addresses may hold either.
  private static func withoutComment(_ line: Substring) -> Substring {
    var wasSpace = true
    for index in line.indices {
      if wasSpace, line[index] == "#" || line[index] == ";" { return line[..<index] }
      wasSpace = line[index].isWhitespace
    }
    return line
  }

  private static func trimmed(_ text: Substring) -> Substring {
    guard let first = text.firstIndex(where: { !$0.isWhitespace }),
      let last = text.lastIndex(where: { !$0.isWhitespace })
    else { return "" }
    return text[first...last]
  }
}
