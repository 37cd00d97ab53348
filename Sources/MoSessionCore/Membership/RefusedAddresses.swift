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

  private static let size: UInt64 = 1 << 16
  /// Seconds for which a refusal counts: a member sends a hello every second.
  private static let memory = 3.0
  /// Seconds in which copies of one datagram arrive on several interfaces.
  private static let copies = 0.02
  /// Seconds for which a challenged address is not challenged again under overload.
  ///
  /// So a sender that reuses a thousand addresses takes up the challenges for only some seconds. If a newcomer's
  /// challenge is lost, it is still found by its own challenge to us.
  private static let pause = 300.0

  /// Returns whether an address was refused shortly before, and records its request.
  ///
  /// - Parameter hash: of the address; senders must not be able to predict it.
  mutating func asksAgain(_ hash: UInt64, at now: HostTime) -> Bool {
    if entries.isEmpty { entries = Array(repeating: Entry(), count: Int(Self.size)) }
    let (index, mark, time) = (Self.index(hash), Self.mark(hash), CoarseTime.ticks(now))
    let entry = entries[index]
    guard entry.mark | 1 == mark | 1 else {
      entries[index] = Entry(mark: mark, time: time)
      return false
    }
    let age = CoarseTime.seconds(from: entry.time, to: time)
    if entry.mark & 1 == 1, age < Self.pause { return false }
    guard age > Self.copies else { return false }
    entries[index] = Entry(mark: mark, time: time)
    return entry.mark & 1 == 1 || age < Self.memory
  }

  /// Records that an address was challenged.
  mutating func wasChallenged(_ hash: UInt64, at now: HostTime) {
    entries[Self.index(hash)] = Entry(mark: Self.mark(hash) | 1, time: CoarseTime.ticks(now))
  }

  private static func index(_ hash: UInt64) -> Int { Int(hash % size) }
  private static func mark(_ hash: UInt64) -> UInt32 { max(2, UInt32(truncatingIfNeeded: hash >> 32) & ~1) }
}
