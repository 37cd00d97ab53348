/// Two parallel lines along the lower edges of the delays out and back: offset and rate of another clock.
///
/// Nanoseconds throughout, against the reference of the `ClockComparison` that keeps it.
struct EnvelopeFit: Sendable {
  /// Own time in the middle of the samples: where the other values hold.
  var centre = 0.0
  /// The other clock less the own one.
  var offset = 0.0
  /// How much faster the other clock runs, relative.
  var rate = 0.0
  /// Variance of the offset, ns², where both ways are equally long at their fastest.
  var offsetVariance = 0.0
  var rateVariance = 0.0
  /// The least apparent delay out, and back.
  var leastOut = 0.0
  var leastBack = 0.0

  /// The other clock less the own one at an own time.
  func offset(at time: Double) -> Double { offset + rate * (time - centre) }

  /// Standard deviation of the offset at an own time, the wandering of the crystals included.
  func deviation(at time: Double) -> Double { (offsetVariance + driftVariance(at: time)).squareRoot() }

  /// How many nanoseconds of samples are best: more of them average more noise, but follow the rate less.
  var bestWindow: Double { (12 * offsetVariance.squareRoot() / Self.wander).squareRoot() }

  /// How far the offset may be wrong by the envelopes alone: no packet arrives before it was sent.
  func reach(at time: Double) -> Double {
    max(leastOut - offset, leastBack + offset) + 2 * driftVariance(at: time).squareRoot()
  }

  /// How far below the least delay out an apparent delay lies; negative where it is above.
  func shortfall(out sample: DelaySamples.Sample) -> Double {
    leastOut + rate * (sample.time - centre) - sample.delay
  }

  /// How far below the least delay back an apparent delay lies; negative where it is above.
  func shortfall(back sample: DelaySamples.Sample) -> Double {
    leastBack - rate * (sample.time - centre) - sample.delay
  }

  /// What the rate's uncertainty and its wandering add towards an own time, ns².
  private func driftVariance(at time: Double) -> Double {
    let age = time - centre
    // What a straight line leaves of a parabola, at its ends.
    let wander = Self.wander * age * age / 3
    return rateVariance * age * age + wander * wander
  }

  /// Relative rate a nanosecond: 1 ppm in a minute, as of a laptop that gets busy.
  private static let wander = 1e-6 / 60e9
}
