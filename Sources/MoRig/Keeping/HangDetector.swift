import MoCore

/// Distinguishes a thread that hangs from a machine that was suspended.
struct HangDetector: Sendable {
  private let patience: Double
  private var beats = -1
  private var silence = 0.0
  private var looked: HostTime?

  /// The largest part of the time between two polls that counts as time without a beat, in seconds.
  ///
  /// If the whole program was stopped, the time between two polls is long, but the thread does not hang.
  private static let most = 2.0

  /// - Parameter patience: the seconds without a beat after which a thread counts as hung.
  init(patience: Double = 30) { self.patience = patience }

  /// Returns whether the thread hangs, given its number of beats.
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
