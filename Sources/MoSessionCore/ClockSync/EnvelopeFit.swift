/// Two parallel lines along the lower edges of the delays of outgoing and returning packets.
///
/// They give the offset and the rate of another clock. All values are in nanoseconds, relative to the reference of the
/// `ClockComparison`.
struct EnvelopeFit: Sendable {
  /// The local time in the middle of the samples, at which the other values apply.
  var centre = 0.0
  /// The time of the other clock minus the time of the local clock.
  var offset = 0.0
  /// The relative rate by which the other clock is faster than the local clock; 1e-6 is 1 ppm.
  var rate = 0.0
  /// The variance of the offset in ns², if the shortest delays are equal both ways.
  var offsetVariance = 0.0
  var rateVariance = 0.0
  /// The height at `centre` of the line of outgoing packets: the least delay plus the offset.
  var leastOut = 0.0
  /// The height at `centre` of the line of returning packets: the least delay minus the offset.
  var leastBack = 0.0

  /// Returns the time of the other clock minus the time of the local clock, at a local time.
  func offset(at time: Double) -> Double { offset + rate * (time - centre) }

  /// Returns the standard deviation of the offset at a local time, including the wander of the crystals.
  func deviation(at time: Double) -> Double { (offsetVariance + driftVariance(at: time)).squareRoot() }

  /// The best time span of the samples for the next fit, in nanoseconds.
  ///
  /// A longer time span averages more noise, but follows changes of the rate less well.
  var bestWindow: Double { (12 * offsetVariance.squareRoot() / Self.wander).squareRoot() }

  /// Returns the largest error of the offset at a local time that the two lines allow.
  ///
  /// No packet arrives before it was sent, so neither true delay is below 0.
  func reach(at time: Double) -> Double {
    max(leastOut - offset, leastBack + offset) + 2 * driftVariance(at: time).squareRoot()
  }

  /// Returns how far the apparent delay of an outgoing packet is below the line of the least delays; negative if above.
  func shortfall(out sample: DelaySamples.Sample) -> Double {
    leastOut + rate * (sample.time - centre) - sample.delay
  }

  /// Returns how far the apparent delay of a returning packet is below the line of the least delays; negative if above.
  func shortfall(back sample: DelaySamples.Sample) -> Double {
    leastBack - rate * (sample.time - centre) - sample.delay
  }

  /// Returns the variance that the rate's uncertainty and wander add at a local time, in ns².
  private func driftVariance(at time: Double) -> Double {
    let age = time - centre
    // The error of a straight line through a parabola, at its ends.
    let wander = Self.wander * age * age / 3
    return rateVariance * age * age + wander * wander
  }

  /// The wander of the relative rate per nanosecond: 1 ppm in a minute, which is typical of a laptop that becomes busy.
  private static let wander = 1e-6 / 60e9
}

/// Fits parallel lines along the lower edges of the delays in both directions.
///
/// Queues only ever add delay, so the truth lies along the lower edge. For outgoing packets, this edge is the shortest
/// delay plus the offset; for returning packets, it is the shortest delay minus the offset. The lines' common slope is
/// the rate, and half the difference of their heights is the offset. A line just below all samples (Moon et al.) is
/// best if delays crowd at the minimum. If few delays are near the minimum, low quantiles are better (Koenker and
/// Bassett). `QuantileBlend` decides.
///
/// - Source: S. Moon, P. Skelly, D. Towsley, *Estimation and removal of clock skew from network delay measurements*,
///   INFOCOM 1999; H. Khlifi, J.-C. Grégoire, *Low-complexity offline and online clock skew estimation and removal*,
///   Computer Networks 50 (2006); R. Koenker, G. Bassett, *Regression quantiles*, Econometrica 46 (1978).
struct EnvelopeFitter: Sendable {
  private var out: OrderStatistics
  private var back: OrderStatistics
  private var blend = QuantileBlend()

  /// The largest relative rate difference of two crystals, 200 ppm.
  private static let steepest = 200e-6

  /// The error of timestamps, in ns.
  private static let stampError = 100.0

  /// Allocates buffers for a number of samples in each direction.
  init(capacity: Int) {
    out = OrderStatistics(capacity: capacity)
    back = OrderStatistics(capacity: capacity)
  }

  /// Returns the lines that fit the samples; each direction must have at least one sample.
  ///
  /// - Parameter prior: a known rate, which decides while the samples cover a short time.
  mutating func fit(
    out outbound: borrowing DelaySamples, back inbound: borrowing DelaySamples,
    prior: (rate: Double, variance: Double)
  ) -> EnvelopeFit {
    var fit = EnvelopeFit()
    let count = Double(outbound.count + inbound.count)
    fit.centre = (outbound.sumOfTimes + inbound.sumOfTimes) / count
    let extent = outbound.squaredTimes(around: fit.centre) + inbound.squaredTimes(around: fit.centre)

    let slope = steepness(outbound, inbound, centre: fit.centre)
    sort(outbound, inbound, slope: slope, centre: fit.centre)
    let slopeVariance = variance * count / max(extent, 1)
    // If the samples plainly contradict a prior, it belongs to another clock.
    let contradiction = (slope - prior.rate) * (slope - prior.rate) - 16 * slopeVariance
    let priorVariance = max(prior.variance, contradiction)
    fit.rateVariance = 1 / (1 / slopeVariance + 1 / priorVariance)
    fit.rate = (slope / slopeVariance + prior.rate / priorVariance) * fit.rateVariance

    sort(outbound, inbound, slope: fit.rate, centre: fit.centre)
    blend.update(out: out, back: back, count: samples)
    fit.offset = (blend.height(out) - blend.height(back)) / 2
    fit.offsetVariance = variance
    (fit.leastOut, fit.leastBack) = (out.least, back.least)
    return fit
  }

  /// The harmonic mean of the numbers of samples in the two directions; it is nearer to the smaller number.
  private var samples: Double { 2 / (1 / Double(out.count) + 1 / Double(back.count)) }

  /// The variance of the offset, in ns².
  private var variance: Double {
    // Too few samples: the offset may lie anywhere within half the round trip.
    let few = Double(min(out.count, back.count))
    let unknown = (out.least + back.least) / (4 * few * few)
    return blend.variance(count: samples) + unknown * unknown + Self.stampError * Self.stampError
  }

  /// Returns the slope that fits the samples of both directions best.
  ///
  /// Bisection finds the slope at which the derivative `OrderStatistics.gradient`, summed over both directions, is
  /// zero.
  private mutating func steepness(
    _ outbound: borrowing DelaySamples, _ inbound: borrowing DelaySamples, centre: Double
  ) -> Double {
    let weights = blend.slopeWeights
    var (low, high) = (-Self.steepest, Self.steepest)
    // To 0.02 ppm.
    for _ in 0..<14 {
      let slope = (low + high) / 2
      let gradient =
        out.gradient(outbound, slope: slope, centre: centre, weights: weights)
        - back.gradient(inbound, slope: -slope, centre: centre, weights: weights)
      if gradient > 0 { low = slope } else { high = slope }
    }
    return (low + high) / 2
  }

  private mutating func sort(
    _ outbound: borrowing DelaySamples, _ inbound: borrowing DelaySamples, slope: Double, centre: Double
  ) {
    out.fill(outbound, slope: slope, centre: centre)
    back.fill(inbound, slope: -slope, centre: centre)
    out.sort()
    back.sort()
  }
}
