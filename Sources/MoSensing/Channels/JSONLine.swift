/// A line of JSON that says numbers: `{"temp": 21.5, "acc": {"x": 1}, "pads": [3, 4]}` has the channels `temp`, `acc/x`,
/// `pads/1` and `pads/2`.
///
/// True is 1 and false is 0. Texts and null say nothing.
///
/// - Source: RFC 8259.
struct JSONLine {
  private let bytes: [UInt8]
  private var index = 0
  private var values: [(channel: String, value: Float)] = []

  /// A board nests no deeper.
  private static let deepest = 8

  private init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Says the values of a line, all of them or, if it is no JSON object, nothing.
  ///
  /// - Returns: whether it said anything.
  static func read(_ line: Span<UInt8>, said: (ChannelName, Float) -> Void) -> Bool {
    var reader = JSONLine(line.withUnsafeBufferPointer { Array($0) })
    guard reader.next() == UInt8(ascii: "{"), reader.value("", depth: 0), reader.next() == nil else {
      return false
    }
    for (channel, value) in reader.values { said(ChannelName(channel), value) }
    return !reader.values.isEmpty
  }

  /// The next byte that is no white space, which stays; nil at the end.
  private mutating func next() -> UInt8? {
    while index < bytes.count, bytes[index] <= 0x20 { index += 1 }
    return index < bytes.count ? bytes[index] : nil
  }

  /// Takes a byte where it is the next.
  private mutating func take(_ letter: Unicode.Scalar) -> Bool {
    guard next() == UInt8(ascii: letter) else { return false }
    index += 1
    return true
  }

  /// Reads a value of any kind; false where it is none.
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
    guard take("{") else { return false }
    if take("}") { return true }
    repeat {
      guard let name = text(), take(":"),
        value(channel.isEmpty ? name : "\(channel)/\(name)", depth: depth + 1)
      else { return false }
    } while take(",")
    return take("}")
  }

  private mutating func list(_ channel: String, depth: Int) -> Bool {
    guard take("[") else { return false }
    if take("]") { return true }
    var place = 0
    repeat {
      place += 1
      guard value("\(channel)/\(place)", depth: depth + 1) else { return false }
    } while take(",")
    return take("]")
  }

  /// A text without its quotes; escapes other than of a quote and a backslash stay as they are.
  private mutating func text() -> String? {
    guard take("\"") else { return nil }
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

  /// A number, true, false or null.
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
