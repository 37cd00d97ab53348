import MoCore

/// The hosts that were challenged under overload, in a table of fixed size.
///
/// A challenge asks a sender to return a token. A forged port costs an attacker nothing, so the limits apply to a whole
/// host, not to a port. Until a host returns a token, the pause before its next challenge becomes longer with each
/// challenge. A host that has returned a token is real: only its challenges per second are limited.
struct ChallengedHosts: Sendable {
  private struct Entry: RecentEntry {
    var mark: UInt32 = 0
    /// The `CoarseTime` of the last challenge; if `isProved`, the start of the second to which `count` refers.
    var time: UInt32 = 0
    /// The number of challenges that brought no token; if `isProved`, the number of challenges in the second from
    /// `time` on.
    var count: UInt16 = 0
    var isProved = false

    /// Returns whether it is too early for the host's next challenge.
    func waits(at time: UInt32) -> Bool {
      let seconds = CoarseTime.seconds(from: self.time, to: time)
      if isProved { return count >= ChallengedHosts.mostToProved && seconds < 1 }
      return count > 0 && seconds < ChallengedHosts.pauses[min(Int(count), ChallengedHosts.pauses.count) - 1]
    }
  }

  private var entries = RecentTable<Entry>()

  /// The most challenges per second to a host that has returned a token: as many as the members that a host may have.
  private static let mostToProved = UInt16(Roster.mostAtAddress)
  /// Seconds before the next challenge, after the first, second, third, fourth and each later challenge.
  ///
  /// Only challenges that brought no token count.
  private static let pauses = [0.2, 0.2, 4, 60, 300]

  /// Returns whether a host has returned a token.
  ///
  /// - Parameter hash: the hash of the host, which senders must not be able to predict.
  func isProved(_ hash: UInt64) -> Bool { entries[hash]?.isProved ?? false }

  /// Returns whether a host may be challenged now.
  func mayChallenge(_ hash: UInt64, at now: HostTime) -> Bool {
    let time = CoarseTime.ticks(now)
    if let entry = entries[hash] { return !entry.waits(at: time) }
    // If more hosts wait than the table holds, they would replace each other, and none would wait.
    return entries.replaced(by: hash, at: time).map { $0.isProved || !$0.waits(at: time) } ?? true
  }

  /// Adds a challenge of a host to the table.
  mutating func wasChallenged(_ hash: UInt64, at now: HostTime) {
    let time = CoarseTime.ticks(now)
    var entry = entries[hash] ?? Entry(mark: RecentTable<Entry>.mark(hash), time: time)
    let isNewSecond = CoarseTime.seconds(from: entry.time, to: time) >= 1
    if entry.isProved, isNewSecond { entry.count = 0 }
    if !entry.isProved || isNewSecond { entry.time = time }
    entry.count = min(entry.count + 1, 1000)
    entries[hash] = entry
  }

  /// Stores in the table that a host has returned a token.
  mutating func hasProved(_ hash: UInt64, at now: HostTime) {
    if isProved(hash) { return }
    entries[hash] = Entry(
      mark: RecentTable<Entry>.mark(hash), time: CoarseTime.ticks(now), isProved: true)
  }
}
