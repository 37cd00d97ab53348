import MoCore

/// A repeater of the resting value while a sensor is silent, until all movement has died away.
///
/// The kernel reports only changes, so a device that lies quite still reports nothing, and a tape that has ended
/// reports nothing more. Without repetition, a sound that follows the activity would rattle on for ever.
struct RestRepeater<Reading: SensorReading> {
  private var last: Reading?
  private var silence: Int64 = 0

  /// The silence before the first repetition, in nanoseconds: longer than the pause between two readings of any sensor.
  private static var patience: Int64 { 150_000_000 }
  private static var period: Int64 { 50_000_000 }
  /// The time from the last real reading to the last repetition, in nanoseconds.
  ///
  /// After this time, even the activity of the wildest shake is exactly 0.
  private static var longest: Int64 { 1_500_000_000 }

  /// The time of the next repetition; nil if there is none.
  var nextTime: HostTime? {
    guard let last, silence <= Self.longest else { return nil }
    return last.time.advanced(byNanoseconds: silence)
  }

  /// Handles a real reading: stores its resting value, and begins the time of silence before the first repetition anew.
  mutating func note(_ reading: Reading) {
    last = reading.atRest
    silence = Self.patience
  }

  /// Returns the next repetition that is due by `now`; nil if no repetition is due.
  mutating func next(until now: HostTime) -> Reading? {
    guard var reading = last, let time = nextTime, time <= now else { return nil }
    reading.time = time
    silence += Self.period
    return reading
  }
}
