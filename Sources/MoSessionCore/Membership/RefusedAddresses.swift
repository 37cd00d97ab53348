import MoCore

/// Recently refused addresses, in a hash table of fixed size.
///
/// A new address replaces an old one: at 20,000 new addresses a second half of the entries last two seconds. The table
/// of 512 KiB is allocated at the first refusal.
struct RefusedAddresses: Sendable {
  private struct Entry: Sendable {
    /// A part of the address's hash; the lowest bit is set if it was challenged since; 0 for an empty entry.
    var mark: UInt32 = 0
    var time: UInt32 = 0
  }

  private var entries: [Entry] = []

  private static let count: UInt64 = 1 << 16
  /// The time unit as a power of two in ns: 2^24 ns are 17 ms, and times wrap around after two years.
  private static let unit: Int64 = 24
  /// The time units (3 s) for which a refusal counts: a member sends a hello every second.
  private static let memory: UInt32 = 180
  /// The time units (five minutes) for which a challenged address is not challenged again under overload.
  ///
  /// So a sender that reuses a thousand addresses takes up the challenges for only some seconds.
  private static let pause: UInt32 = 18_000

  /// Returns whether an address was refused shortly before, and records its request.
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
    // Copies of one datagram arrive on several interfaces at the same moment.
    guard age > 1 else { return false }
    entries[index] = Entry(mark: mark, time: time)
    return age < Self.memory
  }

  /// Records that an address was challenged.
  mutating func wasChallenged(_ hash: UInt64, at now: HostTime) {
    entries[Self.index(hash)] = Entry(mark: Self.mark(hash) | 1, time: Self.time(now))
  }

  private static func index(_ hash: UInt64) -> Int { Int(hash >> 1 & (count - 1)) }
  private static func mark(_ hash: UInt64) -> UInt32 { max(2, UInt32(truncatingIfNeeded: hash >> 32) & ~1) }
  private static func time(_ now: HostTime) -> UInt32 { UInt32(truncatingIfNeeded: now.nanoseconds >> unit) }
}
