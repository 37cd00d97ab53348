/// A two-state Kalman filter for a clock's offset, in seconds, and its rate, in seconds per second.
///
/// The filter stores only the variances and the covariance of offset and rate. The estimates of offset and rate are in
/// the `CardClockLine` to which `CardClock` applies the filter's corrections.
struct CardClockFilter: Sendable {
  /// The variance of the offset, in s².
  private(set) var offsetVariance = firstOffset * firstOffset
  private var covariance = 0.0
  private var rateVariance = firstRate * firstRate

  /// The standard deviation of the offset at the start, in seconds: the first time stamp may be milliseconds late.
  private static let firstOffset = 5e-3
  /// The standard deviation of the rate at the start, in seconds per second.
  ///
  /// Crystals stay within 100 ppm of their rate, and timer-driven devices (snd-aloop) within 1000 ppm.
  private static let firstRate = 300e-6

  /// The growth of the rate's variance per second: a crystal that warms up wanders by 0.5 ppm in a minute.
  private static let wander = 0.25e-12 / 60

  /// Whether the rate is at least as uncertain as at the start.
  var knowsNoRate: Bool { rateVariance >= Self.firstRate * Self.firstRate }

  /// Advances the filter by a time: the uncertain rate and the wander of the rate increase the variances.
  mutating func predict(seconds: Double) {
    let spread = Self.wander * seconds
    offsetVariance += seconds * (2 * covariance + seconds * (rateVariance + spread / 3))
    covariance += seconds * (rateVariance + spread / 2)
    rateVariance = rateVariance + spread
  }

  /// Returns whether an observed offset is larger than both a millisecond and six standard deviations.
  func isStrange(_ offset: Double, variance: Double) -> Bool {
    abs(offset) > max(1e-3, 6 * (offsetVariance + variance).squareRoot())
  }

  /// Adds an observed offset, and returns the corrections of offset and rate.
  mutating func update(_ offset: Double, variance: Double) -> (offset: Double, rate: Double) {
    let total = offsetVariance + variance
    let gain = (offset: offsetVariance / total, rate: covariance / total)
    rateVariance -= gain.rate * covariance
    covariance *= 1 - gain.offset
    offsetVariance *= 1 - gain.offset
    return (gain.offset * offset, gain.rate * offset)
  }

  /// Makes the offset as uncertain as at the start, after a jump; keeps the rate.
  mutating func forgetOffset() {
    offsetVariance = Self.firstOffset * Self.firstOffset
    covariance = 0
  }
}
