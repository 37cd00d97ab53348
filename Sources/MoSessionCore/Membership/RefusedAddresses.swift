import MoCore

/// The addresses to which this member recently sent no challenge, because the limit of challenges was reached.
///
/// A challenge asks an address to return a token. The table has a fixed size: at 20,000 new addresses per second, an
/// entry stays in the table for three seconds.
struct RefusedAddresses: Sendable {
  private struct Entry: RecentEntry {
    var mark: UInt32 = 0
    var time: UInt32 = 0
    /// Whether the address was challenged since the refusal.
    var isChallenged = false
  }

  private var entries = RecentTable<Entry>()

  /// Seconds for which a refusal counts: a member sends a hello every second.
  private static let memory = 3.0
  /// Seconds within which copies of a datagram arrive on several network interfaces.
  private static let copies = 0.02
  /// Seconds for which a challenged address is not challenged again under overload.
  ///
  /// So a sender that reuses a thousand addresses uses up the limit of challenges for only some seconds. If our
  /// challenge to a newcomer is lost, the newcomer is still found by its own challenge to us.
  private static let pause = 300.0

  /// Returns whether an address asks again after a refusal, and records its request.
  ///
  /// The result is true if the refusal was in the last 3 s; copies of one datagram do not count as a new request. The
  /// result is also true if the address was challenged more than `pause` seconds ago.
  ///
  /// - Parameter hash: the hash of the address, which senders must not be able to predict.
  mutating func asksAgain(_ hash: UInt64, at now: HostTime) -> Bool {
    let time = CoarseTime.ticks(now)
    guard let entry = entries[hash] else {
      entries[hash] = Entry(mark: RecentTable<Entry>.mark(hash), time: time)
      return false
    }
    let age = CoarseTime.seconds(from: entry.time, to: time)
    guard age > (entry.isChallenged ? Self.pause : Self.copies) else { return false }
    entries[hash] = Entry(mark: entry.mark, time: time)
    return entry.isChallenged || age < Self.memory
  }

  /// Stores in the table that an address was challenged.
  mutating func wasChallenged(_ hash: UInt64, at now: HostTime) {
    entries[hash] = Entry(
      mark: RecentTable<Entry>.mark(hash), time: CoarseTime.ticks(now), isChallenged: true)
  }
}
