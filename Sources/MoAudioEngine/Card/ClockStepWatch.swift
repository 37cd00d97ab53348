import MoCore

/// Detects a sudden change of a card's rate, which `CardClock` follows only slowly.
///
/// Positions may be reported late, but never early, so the earliest of 32 positions should agree with `CardClock`. If
/// this position differs by more than the clock's error bound allows, the rate has changed.
struct ClockStepWatch {
  /// The smallest lateness of the positions since the last check, in seconds; negative if a position was early.
  private var least = Double.infinity
  private var seen = 0
  private var begun: HostTime?
  /// Whether the clock was observed for more than 30 s, so that a wrong time means that the card's rate has changed.
  private(set) var isSettled = false

  private static let several = 32
  /// The allowed error of the clock, in seconds, in addition to three times the clock's error bound.
  private static let allowed = 0.0003
  /// The time for which the clock must be observed until `isSettled` is true, in seconds.
  private static let learning = 30.0

  /// Checks one more position, and returns whether the card's rate has changed.
  ///
  /// Call the function before `clock` observes the same position.
  mutating func hasStepped(_ clock: CardClock, frame: Int64, at time: HostTime) -> Bool {
    guard clock.hasStarted else { return false }
    isSettled = time.seconds(since: begun ?? time) > Self.learning
    if begun == nil { begun = time }
    least = min(least, time.seconds(since: clock.time(ofFrame: frame)))
    seen += 1
    guard seen == Self.several else { return false }
    let found = abs(least) > Self.allowed + 3 * clock.errorBound
    (least, seen) = (.infinity, 0)
    return found
  }
}
