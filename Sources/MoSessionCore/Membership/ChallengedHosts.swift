import MoCore

/// The hosts that were challenged under overload, in a hash table of fixed size.
///
/// A forged port costs its sender nothing. So a host without a proof waits longer after each challenge, from whichever
/// port it asks. A host that has returned a token is real: only its challenges per second are limited.
struct ChallengedHosts: Sendable {
  private struct Entry: Sendable {
    /// A part of the host's hash; 0 for an empty entry.
    var mark: UInt32 = 0
    /// The time of the last challenge; for a proved host the start of the current second.
    var time: UInt32 = 0
    /// The challenges without a proof; for a proved host those in the current second.
    var count: UInt16 = 0
    var isProved = false
  }

  private var entries: [Entry] = []

  private static let size: UInt64 = 1 << 16
  /// Most challenges a second to a proved host: the members that one address may have.
  private static let mostToProved = UInt16(Roster.mostAtAddress)
  /// Seconds without a challenge after the first, the second and each further challenge that brought no proof.
  private static let pauses = [0.2, 0.2, 4, 60, 300]

  /// Returns whether a host has returned a token.
  ///
  /// - Parameter hash: of the host; senders must not be able to predict it.
  func isProved(_ hash: UInt64) -> Bool {
    guard !entries.isEmpty else { return false }
    let entry = entries[Self.index(hash)]
    return entry.isProved && entry.mark == Self.mark(hash)
  }

  /// Returns whether a host may be challenged now.
  func mayChallenge(_ hash: UInt64, at now: HostTime) -> Bool {
    guard !entries.isEmpty, case let entry = entries[Self.index(hash)], entry.mark != 0 else { return true }
    let seconds = CoarseTime.seconds(from: entry.time, to: CoarseTime.ticks(now))
    if entry.isProved, entry.mark == Self.mark(hash) {
      return entry.count < Self.mostToProved || seconds >= 1
    }
    // Another host in the same entry counts, too: else two hosts that replace each other would never wait.
    return seconds >= Self.pauses[min(max(1, Int(entry.count)), Self.pauses.count) - 1]
  }

  /// Records that a host was challenged.
  mutating func wasChallenged(_ hash: UInt64, at now: HostTime) {
    if entries.isEmpty { entries = Array(repeating: Entry(), count: Int(Self.size)) }
    let time = CoarseTime.ticks(now)
    var entry = entries[Self.index(hash)]
    if entry.mark != Self.mark(hash) { entry = Entry(mark: Self.mark(hash), time: time) }
    let isNewSecond = CoarseTime.seconds(from: entry.time, to: time) >= 1
    if entry.isProved, isNewSecond { entry.count = 0 }
    if !entry.isProved || isNewSecond { entry.time = time }
    entry.count = min(entry.count + 1, 1000)
    entries[Self.index(hash)] = entry
  }

  /// Records that a host has returned a token.
  mutating func hasProved(_ hash: UInt64, at now: HostTime) {
    if isProved(hash) { return }
    if entries.isEmpty { entries = Array(repeating: Entry(), count: Int(Self.size)) }
    entries[Self.index(hash)] = Entry(mark: Self.mark(hash), time: CoarseTime.ticks(now), isProved: true)
  }

  private static func index(_ hash: UInt64) -> Int { Int(hash % size) }
  private static func mark(_ hash: UInt64) -> UInt32 { max(1, UInt32(truncatingIfNeeded: hash >> 32)) }
}

/// Times in units of 2^24 ns (17 ms), in 32 bits: they wrap around after two years.
enum CoarseTime {
  static func ticks(_ time: HostTime) -> UInt32 { UInt32(truncatingIfNeeded: time.nanoseconds >> 24) }

  static func seconds(from earlier: UInt32, to later: UInt32) -> Double {
    Double(later &- earlier) * Double(1 << 24) * 1e-9
  }
}
