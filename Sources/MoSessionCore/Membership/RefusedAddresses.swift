import MoCore

/// The addresses that were refused a challenge of late, in a table of fixed size.
///
/// A new address takes the place of an old one: at 20,000 new addresses a second half of the entries last two seconds.
/// The table takes its 512 KiB when the first address is refused.
struct RefusedAddresses: Sendable {
  private struct Entry: Sendable {
    /// A part of the address's hash, and in the lowest bit whether it was challenged since; 0 for no address.
    var mark: UInt32 = 0
    var time: UInt32 = 0
  }

  private var entries: [Entry] = []

  private static let count: UInt64 = 1 << 16
  /// A time unit is 2^24 ns, 17 ms: the numbers repeat after two years.
  private static let unit: Int64 = 24
  /// Units for which a refusal counts: a member says hello every second.
  private static let memory: UInt32 = 180
  /// Units (five minutes) for which an address that was challenged is not challenged again while too many ask.
  ///
  /// So a sender that uses a thousand addresses over and over takes up the challenges for some seconds alone.
  private static let pause: UInt32 = 18_000

  /// Whether an address was refused shortly before; notes that it asked.
  ///
  /// - Parameter hash: of the address; senders must not be able to predict it.
  mutating func asksAgain(_ hash: UInt64, at now: HostTime) -> Bool {
    if entries.isEmpty { entries = Array(repeating: Entry(), count: Int(Self.count)) }
    let (index, mark, time) = (Self.index(hash), Self.mark(hash), Self.time(now))
    let entry = entries[index]
    let age = time &- entry.time
    guard entry.mark | 1 == mark | 1, entry.mark != 0 else {
      entries[index] = Entry(mark: mark, time: time)
      return false
    }
    if entry.mark & 1 == 1, age < Self.pause { return false }
    // Copies of one datagram come by several interfaces at one moment.
    guard age > 1 else { return false }
    entries[index] = Entry(mark: mark, time: time)
    return age < Self.memory
  }

  /// Notes that an address was challenged.
  mutating func wasChallenged(_ hash: UInt64, at now: HostTime) {
    entries[Self.index(hash)] = Entry(mark: Self.mark(hash) | 1, time: Self.time(now))
  }

  private static func index(_ hash: UInt64) -> Int { Int(hash >> 1 & (count - 1)) }
  private static func mark(_ hash: UInt64) -> UInt32 { max(2, UInt32(truncatingIfNeeded: hash >> 32) & ~1) }
  private static func time(_ now: HostTime) -> UInt32 { UInt32(truncatingIfNeeded: now.nanoseconds >> unit) }
}
