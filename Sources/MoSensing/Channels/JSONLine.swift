/// A parser of a JSON line with numbers.
///
/// `{"temp": 21.5, "acc": {"x": 1}, "pads": [3, 4]}` has the channels `temp`, `acc/x`, `pads/1` and `pads/2`.
///
/// True is 1 and false is 0. Strings and null are ignored.
///
/// - Source: RFC 8259.
struct JSONLine {
  private let bytes: [UInt8]
  private var index = 0
  private var values: [(channel: String, value: Float)] = []

  /// The deepest nesting of objects and lists that is read.
  private static let deepest = 8

  private init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Passes all values of a line to `emit`, or no value if the line is not a JSON object.
  ///
  /// - Returns: whether a value was passed to `emit`.
  static func read(_ line: Span<UInt8>, emit: (ChannelName, Float) -> Void) -> Bool {
    var reader = JSONLine(line.withUnsafeBufferPointer { Array($0) })
    guard reader.next() == UInt8(ascii: "{"), reader.value("", depth: 0), reader.next() == nil else {
      return false
    }
    for (channel, value) in reader.values { emit(ChannelName(channel), value) }
    return !reader.values.isEmpty
  }

  /// Returns the next byte that is not white space, without consuming it; nil at the end.
  private mutating func next() -> UInt8? {
    while index < bytes.count, bytes[index] <= 0x20 { index += 1 }
    return index < bytes.count ? bytes[index] : nil
  }

  /// Consumes the character `letter` if it comes next after white space; returns false if another character comes next.
  private mutating func consume(_ letter: Unicode.Scalar) -> Bool {
    guard next() == UInt8(ascii: letter) else { return false }
    index += 1
    return true
  }

  /// Reads a value of any kind; returns false if there is no valid value.
  private mutating func value(_ channel: String, depth: Int) -> Bool {
    guard let first = next(), depth <= Self.deepest else { return false }
    switch first {
    case UInt8(ascii: "{"): return object(channel, depth: depth)
    case UInt8(ascii: "["): return list(channel, depth: depth)
    case UInt8(ascii: "\""): return text() != nil
    default: return word(channel)
    }
  }

  private mutating func object(_ channel: String, depth: Int) -> Bool {
    guard consume("{") else { return false }
    if consume("}") { return true }
    repeat {
      guard let name = text(), consume(":"),
        value(channel.isEmpty ? name : "\(channel)/\(name)", depth: depth + 1)
      else { return false }
    } while consume(",")
    return consume("}")
  }

  private mutating func list(_ channel: String, depth: Int) -> Bool {
    guard consume("[") else { return false }
    if consume("]") { return true }
    var place = 0
    repeat {
      place += 1
      guard value("\(channel)/\(place)", depth: depth + 1) else { return false }
    } while consume(",")
    return consume("]")
  }

  /// Reads a string without its quotes; of the escapes, only those of a quote and a backslash are decoded.
  private mutating func text() -> String? {
    guard consume("\"") else { return nil }
    var letters: [UInt8] = []
    while index < bytes.count {
      let byte = bytes[index]
      index += 1
      if byte == UInt8(ascii: "\"") { return String(decoding: letters, as: UTF8.self) }
      if byte == UInt8(ascii: "\\"), index < bytes.count {
        letters.append(bytes[index])
        index += 1
      } else {
        letters.append(byte)
      }
    }
    return nil
  }

  /// Reads a number, true, false or null; returns false if there is another word.
  private mutating func word(_ channel: String) -> Bool {
    let start = index
    while index < bytes.count, bytes[index] > 0x20, !",]}".utf8.contains(bytes[index]) { index += 1 }
    let word = bytes[start..<index]
    switch String(decoding: word, as: UTF8.self) {
    case "true": values.append((channel, 1))
    case "false": values.append((channel, 0))
    case "null": break
    default:
      guard let number = Float(word: Array(word).span) else { return false }
      values.append((channel, number))
    }
    return true
  }
}
