import MoCore

/// A detector of a thread that hangs; it does not count the time for which the machine was suspended.
struct HangDetector: Sendable {
  private let patience: Double
  private var beats = -1
  private var silence = 0.0
  private var looked: HostTime?

  /// The longest time between two polls that counts in full as time without progress of the thread, in seconds.
  ///
  /// A longer time counts as 2 s: the whole program may have been stopped, although the thread does not hang.
  private static let most = 2.0

  /// - Parameter patience: the seconds without progress after which a thread counts as hung.
  init(patience: Double = 30) { self.patience = patience }

  /// Returns whether the thread hangs.
  ///
  /// - Parameter now: the thread's `Pulse.beats`, which increases once a second while the thread runs.
  mutating func hangs(beats now: Int, at time: HostTime) -> Bool {
    defer { looked = time }
    guard now == beats, let looked else {
      (beats, silence) = (now, 0)
      return false
    }
    silence += min(HangDetector.most, time.seconds(since: looked))
    return silence >= patience
  }
}
