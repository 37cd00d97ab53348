import MoCore

/// A limit on the number of messages per second, which spaces the messages evenly.
///
/// In any T seconds it allows at most T · rate + 2 messages. If evenly spaced readings come faster than `rate`, it
/// allows `rate` messages a second on average, even if neither rate is a multiple of the other.
///
/// If readings come at twice `rate`, every second reading is sent without delay, as long as their jitter stays below
/// `lead`. For this, the limiter's grid of sending times lies a little before the readings. If the clock of the
/// readings drifts against this machine's clock, some readings are delayed.
///
/// A delayed value waits a little longer than the limit requires, so that a newer value can replace it.
struct RateLimit: Sendable {
  private let period: Int64
  /// The time, in nanoseconds, by which the grid of sending times precedes the readings of an even stream: the expected
  /// jitter of the readings.
  private let lead: Int64
  /// The earliest time at which the next message is allowed.
  private(set) var next = HostTime.distantPast

  /// - Parameter rate: messages a second, above 0.
  init(_ rate: Double) {
    period = Int64(1e9 / rate)
    lead = min(period / 8, 2_500_000)
  }

  /// The nanoseconds that a delayed value may wait beyond `nextKept`, so that the event loop can send it together with
  /// other values.
  var slack: Int64 { 2 * lead }

  func allows(_ time: HostTime) -> Bool { time >= next }

  /// The time at which a delayed value is sent, unless a newer reading has replaced it by then.
  var nextKept: HostTime { next.advanced(byNanoseconds: 2 * lead) }

  /// Updates `next`, the earliest time of the next message, after a message was sent at `time`.
  mutating func note(_ time: HostTime) {
    // The times are on a grid, so a late message does not delay those that follow. After a pause the grid begins again:
    // missed messages are not made up for.
    let onGrid = next == .distantPast ? next : next.advanced(byNanoseconds: period)
    next = onGrid > time ? onGrid : time.advanced(byNanoseconds: period - lead)
  }
}
