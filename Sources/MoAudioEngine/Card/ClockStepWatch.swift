import MoCore

/// Detects that a card's clock changed its rate, which `CardClock` learns only slowly.
///
/// Positions may be reported late, but never early, so the earliest of 32 positions should agree with the clock. If
/// this position differs by more than the clock's own bound allows, the clock is wrong.
struct ClockStepWatch {
  /// The least lateness of the positions since the last check, in seconds; negative if a position was too early.
  private var least = Double.infinity
  private var seen = 0
  private var begun: HostTime?
  /// Whether the clock is learned, so that a wrong time means a change of the card's rate.
  private(set) var isSettled = false

  private static let several = 32
  /// The tolerance in addition to three times the clock's error bound, in seconds.
  private static let allowed = 0.0003
  /// The time to learn a clock, in seconds.
  private static let learning = 30.0

  /// Records a position before `clock` does, and returns whether the clock has stepped.
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
