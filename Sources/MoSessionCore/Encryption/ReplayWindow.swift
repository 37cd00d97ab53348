/// Which of a sender's datagrams have come, so that each is taken once.
///
/// One that is 128 or more behind the newest counts as seen.
///
/// - Source: the sliding window of RFC 6479 and IPsec (RFC 4303 § 3.4.3).
struct ReplayWindow: Sendable {
  /// How far behind the newest a datagram may come.
  static let size: UInt64 = 128

  private var newest: UInt64
  /// A bit for each of the newest 128, the lowest for the newest.
  private var seen: (low: UInt64, high: UInt64)

  /// - Parameter number: this and all before it count as seen.
  init(after number: UInt64) {
    newest = number
    seen = (.max, .max)
  }

  /// Whether a datagram comes for the first time; it has come now.
  mutating func take(_ number: UInt64) -> Bool {
    if number > newest {
      shift(by: number - newest)
      newest = number
      seen.low |= 1
      return true
    }
    let age = newest - number
    guard age < Self.size else { return false }
    if age < 64 {
      let bit: UInt64 = 1 << age
      defer { seen.low |= bit }
      return seen.low & bit == 0
    }
    let bit: UInt64 = 1 << (age - 64)
    defer { seen.high |= bit }
    return seen.high & bit == 0
  }

  private mutating func shift(by count: UInt64) {
    switch count {
    case 0..<64: seen = (seen.low << count, seen.high << count | seen.low >> (64 - count))
    case 64..<128: seen = (0, seen.low << (count - 64))
    default: seen = (0, 0)
    }
  }
}
