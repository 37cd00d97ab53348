/// The offset and rate of one clock against another, as a two-state Kalman filter; in seconds and seconds per second.
///
/// It holds only the covariance: the state itself is the line to which the corrections are applied.
struct CardClockFilter: Sendable {
  /// Variance of the offset, s².
  private(set) var offsetVariance = firstOffset * firstOffset
  private var covariance = 0.0
  private var rateVariance = firstRate * firstRate

  /// The standard deviations at the start.
  ///
  /// A first stamp may be milliseconds late. Crystals stay within 100 ppm, timer-driven devices (snd-aloop) within
  /// 1000 ppm.
  private static let firstOffset = 5e-3
  private static let firstRate = 300e-6

  /// The wander of the rate, 0.5 ppm in a minute (as variance per second): a crystal that warms up.
  private static let wander = 0.25e-12 / 60

  /// Whether nothing is known about the rate yet.
  var knowsNoRate: Bool { rateVariance >= Self.firstRate * Self.firstRate }

  /// Advances time: the offset becomes less certain by the rate's uncertainty, the rate by its wander.
  mutating func predict(seconds: Double) {
    let spread = Self.wander * seconds
    offsetVariance += seconds * (2 * covariance + seconds * (rateVariance + spread / 3))
    covariance += seconds * (rateVariance + spread / 2)
    rateVariance = rateVariance + spread
  }

  /// Returns whether an observed offset is beyond six standard deviations and a millisecond.
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

  /// Forgets the offset after a jump; keeps the rate.
  mutating func forgetOffset() {
    offsetVariance = Self.firstOffset * Self.firstOffset
    covariance = 0
  }
}
