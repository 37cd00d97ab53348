import Glibc

/// The configuration file: a JSON object whose keys are option names, such as `{"audio": "hw:1", "quiet": true}`.
package enum Configuration {
  /// Returns the path of the configuration file, `config.json` in `folder(_:)`; nil if that folder is nil.
  package static func path(_ environment: [String: String]) -> String? {
    folder(environment).map { "\($0)/config.json" }
  }

  /// Returns the folder of MoMu's settings: `$XDG_CONFIG_HOME/momu` or `$HOME/.config/momu`.
  ///
  /// `XDG_CONFIG_HOME` is ignored if it is not an absolute path. The result is nil if neither variable gives a folder.
  package static func folder(_ environment: [String: String]) -> String? {
    if let base = environment["XDG_CONFIG_HOME"], base.hasPrefix("/") { return "\(base)/momu" }
    return environment["HOME"].map { "\($0)/.config/momu" }
  }

  /// Returns the value that the file gives to the option `name`, as text; nil if the file does not set this option.
  ///
  /// - Throws: `OptionError.configuration` if the file exists but cannot be used.
  package static func value(_ name: String, _ environment: [String: String]) throws -> String? {
    try read(environment)[name]
  }

  /// Returns the file's values as texts, by option name; empty if there is no file.
  ///
  /// - Throws: `OptionError.configuration` if the file exists but cannot be used.
  package static func read(_ environment: [String: String]) throws(OptionError) -> [String: String] {
    guard let path = path(environment), access(path, F_OK) == 0 else { return [:] }
    guard access(path, R_OK) == 0 else {
      throw .configuration(path: path, reason: "it cannot be read (\(String(cString: strerror(errno))))")
    }
    let text = WholeFile.text(of: path, bytes: most) ?? ""
    guard let values = FlatJSON(text)?.values else {
      throw .configuration(
        path: path,
        reason: "it is not a JSON object of option names and values, such as {\"audio\": \"hw:1\"}")
    }
    if let stranger = values.keys.filter({ key in !RunOption.table.contains { $0.key == key } }).min() {
      throw .configuration(path: path, reason: "it sets \"\(stranger)\", which is not an option")
    }
    return values
  }

  /// The largest number of bytes that are read from the file.
  private static let most = 1 << 20
}

/// A parser of a JSON object whose values are strings, numbers, true or false.
///
/// - Source: RFC 8259.
package struct FlatJSON {
  /// The object's values by name, as the texts that a user would type for an option.
  ///
  /// True is `1`, false is `0`, and `48000.0` is `48000`. If a name occurs twice, the last value counts.
  package private(set) var values: [String: String] = [:]
  private let bytes: [UInt8]
  private var index = 0

  /// Parses a text; returns nil if it is not a JSON object, or if one of the values is a list, an object or null.
  package init?(_ text: String) {
    bytes = Array(text.utf8)
    guard object(), next() == nil else { return nil }
  }

  private mutating func object() -> Bool {
    guard consume("{") else { return false }
    if consume("}") { return true }
    repeat {
      guard let name = text(), consume(":"), let value = value() else { return false }
      values[name] = value
    } while consume(",")
    return consume("}")
  }

  /// Skips white space and returns the next byte without consuming it; nil at the end.
  private mutating func next() -> UInt8? {
    while index < bytes.count, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[index]) { index += 1 }
    return index < bytes.count ? bytes[index] : nil
  }

  private mutating func consume(_ letter: Unicode.Scalar) -> Bool {
    guard next() == UInt8(ascii: letter) else { return false }
    index += 1
    return true
  }

  private mutating func value() -> String? {
    if next() == UInt8(ascii: "\"") { return text() }
    let start = index
    while index < bytes.count, bytes[index] > 0x20, !",}]".utf8.contains(bytes[index]) { index += 1 }
    let word = String(decoding: bytes[start..<index], as: UTF8.self)
    switch word {
    case "true": return "1"
    case "false": return "0"
    default: return number(word)
    }
  }

  private func number(_ word: String) -> String? {
    guard word.wholeMatch(of: #/-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?/#) != nil,
      let number = Double(word), number.isFinite
    else { return nil }
    // So an option for whole numbers also accepts 48000.0.
    return Int64(word).map { "\($0)" } ?? Int64(exactly: number).map { "\($0)" } ?? "\(number)"
  }

  /// Parses a string in quotes; returns nil if there is no valid string.
  private mutating func text() -> String? {
    guard consume("\"") else { return nil }
    var letters: [UInt8] = []
    while index < bytes.count {
      let byte = bytes[index]
      index += 1
      switch byte {
      case UInt8(ascii: "\""): return String(validating: letters, as: UTF8.self)
      case UInt8(ascii: "\\"):
        guard let scalar = escape() else { return nil }
        letters += Array(String(scalar).utf8)
      case ..<0x20: return nil
      default: letters.append(byte)
      }
    }
    return nil
  }

  /// Parses an escape sequence after its backslash; returns nil if the sequence is invalid.
  private mutating func escape() -> Unicode.Scalar? {
    guard index < bytes.count else { return nil }
    defer { index += 1 }
    switch Unicode.Scalar(bytes[index]) {
    case "\"": return "\""
    case "\\": return "\\"
    case "/": return "/"
    case "b": return "\u{8}"
    case "f": return "\u{C}"
    case "n": return "\n"
    case "r": return "\r"
    case "t": return "\t"
    case "u": return codePoint()
    default: return nil
    }
  }

  /// Parses `uXXXX`, or the surrogate pair `uXXXX\uXXXX`; leaves `index` at the last digit.
  private mutating func codePoint() -> Unicode.Scalar? {
    guard let high = unit() else { return nil }
    guard (0xD800...0xDBFF).contains(high) else { return Unicode.Scalar(high) }
    guard index + 2 < bytes.count, bytes[index + 1] == UInt8(ascii: "\\"),
      bytes[index + 2] == UInt8(ascii: "u")
    else { return nil }
    index += 2
    guard let low = unit(), (0xDC00...0xDFFF).contains(low) else { return nil }
    return Unicode.Scalar(0x10000 + (high - 0xD800) << 10 + (low - 0xDC00))
  }

  /// Parses the four hexadecimal digits after the `u` at `index`; leaves `index` at the last digit.
  private mutating func unit() -> UInt32? {
    guard index + 4 < bytes.count else { return nil }
    let digits = bytes[(index + 1)...(index + 4)]
    guard digits.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }) else { return nil }
    index += 4
    return UInt32(String(decoding: digits, as: UTF8.self), radix: 16)
  }
}
