/// Offset and rate of one clock against another, as a two-state Kalman filter; seconds and seconds a second.
///
/// Holds the covariance only: the state itself is the line that the corrections are applied to.
struct CardClockFilter: Sendable {
  /// Variance of the offset, s².
  private(set) var offsetVariance = firstOffset * firstOffset
  private var covariance = 0.0
  private var rateVariance = firstRate * firstRate

  /// Standard deviations before anything is known: a first stamp may be milliseconds late; crystals hold
  /// 100 ppm, timer-driven devices (snd-aloop) are within 1000 ppm.
  private static let firstOffset = 5e-3
  private static let firstRate = 300e-6

  /// The rate wanders by 0.5 ppm in a minute (variance a second): a crystal warming up.
  private static let wander = 0.25e-12 / 60

  /// Whether nothing was learnt about the rate.
  var knowsNoRate: Bool { rateVariance >= Self.firstRate * Self.firstRate }

  /// Time passes: the offset grows less certain by the rate's uncertainty, the rate by its wander.
  mutating func predict(seconds: Double) {
    let spread = Self.wander * seconds
    offsetVariance += seconds * (2 * covariance + seconds * (rateVariance + spread / 3))
    covariance += seconds * (rateVariance + spread / 2)
    rateVariance = rateVariance + spread
  }

  /// Whether an observed offset is beyond six standard deviations and a millisecond.
  func isStrange(_ offset: Double, variance: Double) -> Bool {
    abs(offset) > max(1e-3, 6 * (offsetVariance + variance).squareRoot())
  }

  /// Takes in an observed offset and says by how much to correct offset and rate.
  mutating func update(_ offset: Double, variance: Double) -> (offset: Double, rate: Double) {
    let total = offsetVariance + variance
    let gain = (offset: offsetVariance / total, rate: covariance / total)
    rateVariance -= gain.rate * covariance
    covariance *= 1 - gain.offset
    offsetVariance *= 1 - gain.offset
    return (gain.offset * offset, gain.rate * offset)
  }

  /// The offset has jumped; the rate is as it was.
  mutating func forgetOffset() {
    offsetVariance = Self.firstOffset * Self.firstOffset
    covariance = 0
  }
}
