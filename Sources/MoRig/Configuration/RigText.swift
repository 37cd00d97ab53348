import MoRuntime

/// A configuration's lines, as `name = value` under `[headings]`.
///
/// The file may be UTF-8 or, with a byte order mark, UTF-16. Windows' line ends, spaces and comments are allowed
/// anywhere.
struct RigText: Sendable {
  enum Line: Equatable, Sendable {
    case heading(String)
    case setting(String, String)
    case unreadable(String)
  }

  /// The lines that are not empty, with their numbers.
  let lines: [(number: Int, line: Line)]

  init(_ text: String) {
    var lines: [(Int, Line)] = []
    var number = 0
    let text = text.hasPrefix("\u{FEFF}") ? text.dropFirst() : text[...]
    for raw in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
      number += 1
      let text = RigText.withoutComment(raw).trimmed
      if text.isEmpty { continue }
      lines.append((number, RigText.read(text)))
    }
    self.lines = lines
  }

  /// Returns the text of a file's bytes; nil if they contain a zero byte (or, in UTF-16, a zero unit), and so are not
  /// text.
  ///
  /// Bytes that are not valid UTF-8, such as letters of an older encoding, become U+FFFD. They occur mostly in
  /// comments.
  static func decoded(_ bytes: [UInt8]) -> String? {
    let isLittle = bytes.starts(with: [0xFF, 0xFE])
    guard isLittle || bytes.starts(with: [0xFE, 0xFF]) else {
      return bytes.contains(0) ? nil : String(decoding: bytes, as: UTF8.self)
    }
    let units = stride(from: 2, to: bytes.count - 1, by: 2).map { place in
      let (one, other) = (UInt16(bytes[place]), UInt16(bytes[place + 1]))
      return isLittle ? other << 8 | one : one << 8 | other
    }
    return units.contains(0) ? nil : String(decoding: units, as: UTF16.self)
  }

  private static func read(_ text: Substring) -> Line {
    if text.first == "[" {
      guard text.last == "]", text.count > 2 else { return .unreadable(String(text)) }
      let heading = text.dropFirst().dropLast().trimmed
      // The rest is a name, whose letters are as in the OSC address.
      let kind = heading.prefix { !$0.isWhitespace }
      return .heading(kind.lowercased() + String(heading[kind.endIndex...]))
    }
    guard let equals = text.firstIndex(of: "=") else { return .unreadable(String(text)) }
    let name = text[..<equals].trimmed
    let value = text[text.index(after: equals)...].trimmed
    guard !name.isEmpty else { return .unreadable(String(text)) }
    return .setting(name.lowercased(), String(value))
  }

  /// Returns a line without its comment; `#` or `;` begins a comment only at the start of the line or after a space.
  ///
  /// At other places, `#` and `;` can be part of an address.
  private static func withoutComment(_ line: Substring) -> Substring {
    var wasSpace = true
    for index in line.indices {
      if wasSpace, line[index] == "#" || line[index] == ";" { return line[..<index] }
      wasSpace = line[index].isWhitespace
    }
    return line
  }
}
