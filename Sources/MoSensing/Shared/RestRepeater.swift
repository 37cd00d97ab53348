import MoCore

/// What a silent sensor still says: what is true at rest, again and again until all movement has died away.
///
/// The kernel reports changes only, so a device that lies quite still says nothing, and a tape that ends says
/// nothing more. Without repetition whatever follows the activity would rattle on for ever.
struct RestRepeater<Reading: SensorReading> {
  private var last: Reading?
  private var silence: Int64 = 0

  /// Longer than the pause between two readings of any sensor, so that a playing one is not spoken over.
  private static var patience: Int64 { 150_000_000 }
  private static var period: Int64 { 50_000_000 }
  /// By then the activity of the wildest shake is exactly 0.
  private static var longest: Int64 { 1_500_000_000 }

  /// When the next repetition is due; nil where there is nothing more to say.
  var nextTime: HostTime? {
    guard let last, silence <= Self.longest else { return nil }
    return last.time.advanced(byNanoseconds: silence)
  }

  /// Takes note of a real reading.
  mutating func note(_ reading: Reading) {
    last = reading.atRest
    silence = Self.patience
  }

  /// The next repetition that is due by `now`; nil where none is.
  mutating func next(until now: HostTime) -> Reading? {
    guard var reading = last, let time = nextTime, time <= now else { return nil }
    reading.time = time
    silence += Self.period
    return reading
  }
}
