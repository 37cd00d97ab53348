import MoCore

/// A repeater of a sensor's resting value while the sensor is silent, until the activity has become 0.
///
/// The kernel reports only changes, so a device that lies completely still reports nothing. A tape that has ended
/// reports nothing either. Without repetition, a sound that follows the activity would never end.
struct RestRepeater<Reading: SensorReading> {
  private var last: Reading?
  private var silence: Int64 = 0

  /// The silence before the first repetition, in nanoseconds: longer than the pause between two readings of any sensor.
  private static var patience: Int64 { 150_000_000 }
  private static var period: Int64 { 50_000_000 }
  /// The time from the sensor's last reading to the last repetition, in nanoseconds.
  ///
  /// After this time, even the activity of the wildest shake is exactly 0.
  private static var longest: Int64 { 1_500_000_000 }

  /// The time of the next repetition; nil if there is none.
  var nextTime: HostTime? {
    guard let last, silence <= Self.longest else { return nil }
    return last.time.advanced(byNanoseconds: silence)
  }

  /// Handles a reading of the sensor: stores the resting value, and restarts the wait for the first repetition.
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
