import MoCore

/// Tells a thread that hangs from a machine that slept.
struct HangDetector: Sendable {
  private let patience: Double
  private var beats = -1
  private var silence = 0.0
  private var looked: HostTime?

  /// What counts of the time between two looks at most, in seconds: a program that was stopped, and goes on, finds a
  /// thread that has not had its turn yet.
  private static let most = 2.0

  /// - Parameter patience: seconds without a beat after which a thread counts as hung.
  init(patience: Double = 30) { self.patience = patience }

  /// Whether the thread that has beaten so often hangs.
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
