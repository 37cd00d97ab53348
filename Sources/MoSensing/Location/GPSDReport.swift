import Glibc
import MoCore

/// A line of gpsd: a JSON object, of which only the top-level members are read.
///
/// - Source: gpsd_json(5), protocol 3; RFC 8259 for JSON.
package struct GPSDReport {
  private var numbers: [String: Double] = [:]
  private var texts: [String: String] = [:]

  /// The kind of report: `TPV` for a fix, `SKY`, `VERSION` and so on.
  var kind: String { texts["class"] ?? "" }

  /// Parses a line; returns nil if the line is not a JSON object.
  package init?(_ line: some Collection<UInt8>) {
    var reader = Reader(bytes: Array(line))
    guard reader.skip(to: 0x7B) else { return nil }
    repeat {
      guard let name = reader.string(), reader.skip(to: 0x3A), let value = reader.value() else { return nil }
      switch value {
      case .number(let number): numbers[name] = number
      case .text(let text): texts[name] = text
      case .other: break
      }
    } while reader.skip(to: 0x2C)
    guard reader.skip(to: 0x7D) else { return nil }
  }

  /// Returns the fix in the report; nil if the report has no fix.
  ///
  /// In a report, the value 2 of `mode` means a fix without an altitude, and 3 means a fix with an altitude.
  package func fix(at time: HostTime) -> Fix? {
    guard kind == "TPV", let mode = numbers["mode"], mode >= 2, let latitude = numbers["lat"],
      let longitude = numbers["lon"], (-90...90).contains(latitude), (-180...180).contains(longitude)
    else { return nil }
    func part(_ name: String) -> Float? { numbers[name].map { Float($0) } }
    // Older releases use alt, which is above the sea like altMSL, and two sides of a square instead of its radius.
    let sides = part("epx").flatMap { x in part("epy").map { (x * x + $0 * $0).squareRoot() } }
    return Fix(
      time: time, latitude: latitude, longitude: longitude,
      altitude: mode >= 3 ? part("altMSL") ?? part("alt") : nil, speed: part("speed"), course: part("track"),
      accuracy: part("eph") ?? sides, verticalAccuracy: mode >= 3 ? part("epv") : nil,
      utc: texts["time"].flatMap { GPSDReport.seconds(of: $0) } ?? .nan)
  }

  /// Returns the seconds since 1970 of a time such as `2026-11-21T12:00:00.250Z`; nil for any other text.
  static func seconds(of text: String) -> Double? {
    let bytes = Array(text.utf8)
    func number(_ range: Range<Int>) -> Int32? {
      Int32(String(decoding: bytes[range], as: UTF8.self))
    }
    guard bytes.count >= 19, let year = number(0..<4), let month = number(5..<7), let day = number(8..<10),
      let hour = number(11..<13), let minute = number(14..<16), let second = number(17..<19)
    else { return nil }
    var parts = tm()
    (parts.tm_year, parts.tm_mon, parts.tm_mday) = (year - 1900, month - 1, day)
    (parts.tm_hour, parts.tm_min, parts.tm_sec) = (hour, minute, second)
    return Double(timegm(&parts)) + strtod("0" + String(decoding: bytes[19...], as: UTF8.self), nil)
  }
}

/// A reader that steps through JSON byte by byte.
private struct Reader {
  enum Value {
    case number(Double)
    case text(String)
    case other
  }

  let bytes: [UInt8]
  private var at = 0

  init(bytes: [UInt8]) { self.bytes = bytes }

  private var next: UInt8? { at < bytes.count ? bytes[at] : nil }

  private mutating func skipSpace() { while let byte = next, byte <= 0x20 { at += 1 } }

  /// Skips white space, and then the character `wanted`; returns false if another character comes next.
  mutating func skip(to wanted: UInt8) -> Bool {
    skipSpace()
    guard next == wanted else { return false }
    at += 1
    return true
  }

  mutating func string() -> String? {
    guard skip(to: 0x22) else { return nil }
    var text: [UInt8] = []
    while let byte = next {
      at += 1
      if byte == 0x22 { return String(decoding: text, as: UTF8.self) }
      // Names and times of gpsd contain no escapes: the character after a backslash is kept unchanged.
      if byte == 0x5C, let escaped = next {
        text.append(escaped)
        at += 1
      } else {
        text.append(byte)
      }
    }
    return nil
  }

  mutating func value() -> Value? {
    skipSpace()
    switch next {
    case 0x22: return string().map { .text($0) }
    case 0x7B, 0x5B: return nested() ? .other : nil
    default:
      let start = at
      while let byte = next, byte != 0x2C, byte != 0x7D, byte > 0x20 { at += 1 }
      guard at > start else { return nil }
      let word = String(decoding: bytes[start..<at], as: UTF8.self)
      return word.first.map { $0 == "-" || $0.isNumber } == true ? .number(strtod(word, nil)) : .other
    }
  }

  /// Skips an object or list with all its contents.
  private mutating func nested() -> Bool {
    var depth = 0
    while let byte = next {
      if byte == 0x22 {
        guard string() != nil else { return false }
        continue
      }
      at += 1
      if byte == 0x7B || byte == 0x5B { depth += 1 }
      if byte == 0x7D || byte == 0x5D {
        depth -= 1
        if depth == 0 { return true }
      }
    }
    return false
  }
}
