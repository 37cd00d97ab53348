/// The datagrams already received from a sender, so that each is accepted once.
///
/// The sender numbers its datagrams. A datagram whose number is 128 or more below the highest received number counts as
/// received.
///
/// - Source: the sliding window of RFC 6479 and IPsec (RFC 4303 § 3.4.3).
struct ReplayWindow: Sendable {
  /// The number of datagrams, counted back from the newest, that can still be accepted.
  static let size: UInt64 = 128

  private var newest: UInt64
  /// A bit for each of the newest 128 datagrams, set if the datagram was received.
  ///
  /// The lowest bit of `low` stands for the newest datagram, the highest bit of `high` for the oldest.
  private var seen: (low: UInt64, high: UInt64)

  /// Creates the window of a sender.
  ///
  /// - Parameter number: the number of a datagram; this datagram and all before it count as received.
  init(after number: UInt64) {
    newest = number
    seen = (.max, .max)
  }

  /// Returns whether a datagram is received for the first time, and marks it as received.
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
