import MoCore

/// Notices that a card's clock goes at another rate than before, which `CardClock` learns slowly once it is sure.
///
/// Positions may come late, and never early. If all of several come late, or one comes early, by more than the clock's
/// own bound allows, then the clock is wrong.
struct ClockStepWatch {
  /// The least lateness of so many positions, in seconds.
  private var least = Double.infinity
  private var seen = 0
  private var begun: HostTime?
  /// Whether it has seen so much that a clock which is wrong has changed, and was not only learnt badly.
  private(set) var isSettled = false

  private static let several = 32
  /// What is allowed besides three bounds, in seconds.
  private static let allowed = 0.0003
  /// How long a clock is learnt, in seconds.
  private static let learning = 30.0

  /// Takes note of a position before `clock` does.
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
