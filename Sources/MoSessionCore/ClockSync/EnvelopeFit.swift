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

/// Fits parallel lines along the lower edges of the delays in both directions.
///
/// Queues only ever add delay, so the truth lies along the lower edge: out it is the offset plus the shortest
/// way, back the shortest way less the offset. The lines' common slope is the rate, half the difference of
/// their heights the offset. A line just below all samples (Moon et al.) is best where delays crowd at the
/// floor; where they thin out towards it, low quantiles are (Koenker and Bassett). `QuantileBlend` decides.
///
/// - Source: S. Moon, P. Skelly, D. Towsley, *Estimation and removal of clock skew from network delay
///   measurements*, INFOCOM 1999; H. Khlifi, J.-C. Grégoire, *Low-complexity offline and online clock skew
///   estimation and removal*, Computer Networks 50 (2006); R. Koenker, G. Bassett, *Regression quantiles*,
///   Econometrica 46 (1978).
struct EnvelopeFitter: Sendable {
  private var out: OrderStatistics
  private var back: OrderStatistics
  private var blend = QuantileBlend()

  /// No two crystals differ by more.
  private static let steepest = 200e-6

  /// Time stamps are no better than this, in ns.
  private static let stampError = 100.0

  /// Room for so many samples in each direction.
  init(capacity: Int) {
    out = OrderStatistics(capacity: capacity)
    back = OrderStatistics(capacity: capacity)
  }

  /// The lines through the samples; there must be some in both directions.
  ///
  /// - Parameter prior: what is known of the rate from elsewhere: it decides while the samples span little.
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
    // A prior that the samples plainly contradict is of another clock.
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

  /// Samples each way, as the harmonic mean: the direction with fewer decides.
  private var samples: Double { 2 / (1 / Double(out.count) + 1 / Double(back.count)) }

  /// Variance of the offset, ns².
  private var variance: Double {
    // Too few to tell: it may lie anywhere within half the round trip.
    let few = Double(min(out.count, back.count))
    let unknown = (out.least + back.least) / (4 * few * few)
    return blend.variance(count: samples) + unknown * unknown + Self.stampError * Self.stampError
  }

  /// The slope that suits both directions best, by halving: the pull on the lines vanishes there.
  private mutating func steepness(
    _ outbound: borrowing DelaySamples, _ inbound: borrowing DelaySamples, centre: Double
  ) -> Double {
    let weights = blend.slopeWeights
    var (low, high) = (-Self.steepest, Self.steepest)
    // To 0.02 ppm.
    for _ in 0..<14 {
      let slope = (low + high) / 2
      let pull =
        out.pull(outbound, slope: slope, centre: centre, weights: weights)
        - back.pull(inbound, slope: -slope, centre: centre, weights: weights)
      if pull > 0 { low = slope } else { high = slope }
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
