/// Fits parallel lines along the lower edges of the delays in both directions.
///
/// Queues only ever add delay, so the truth lies along the lower edge: out it is the offset plus the shortest
/// way, back the shortest way less the offset. The lines' common slope is the rate, half the difference of
/// their heights the offset. A line below all samples (Moon et al.) is best where delays crowd at the floor;
/// where they thin out towards it one through a low quantile is (Koenker and Bassett). The samples decide:
/// the level with the least variance wins, and one by which the two directions disagree pays for that.
///
/// - Source: S. Moon, P. Skelly, D. Towsley, *Estimation and removal of clock skew from network delay
///   measurements*, INFOCOM 1999; H. Khlifi, J.-C. Grégoire, *Low-complexity offline and online clock skew
///   estimation and removal*, Computer Networks 50 (2006); R. Koenker, G. Bassett, *Regression quantiles*,
///   Econometrica 46 (1978).
struct EnvelopeFitter: Sendable {
  private var out: OrderStatistics
  private var back: OrderStatistics
  private var fit = EnvelopeFit()

  /// The quantile in use, and running means of what each would cost, in ns².
  private var level = firstLevel
  private var costs = Levels(repeating: 0)
  private var fits = 0.0

  typealias Levels = InlineArray<5, Double>
  static let levels: Levels = [0, 0.04, 0.12, 0.28, 0.5]
  private static let firstLevel = 1

  /// No two crystals differ by more.
  static let steepest = 200e-6

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
    let count = Double(outbound.count + inbound.count)
    fit.centre = (outbound.sumOfTimes + inbound.sumOfTimes) / count
    let extent =
      outbound.squaredTimes(around: fit.centre) + inbound.squaredTimes(around: fit.centre)
    let steepness = steepness(outbound, inbound)
    sort(outbound, inbound, slope: steepness)
    let slopeVariance = variance(Self.levels[level]) * count / max(extent, 1)
    fit.rateVariance = 1 / (1 / slopeVariance + 1 / prior.variance)
    fit.rate = (steepness / slopeVariance + prior.rate / prior.variance) * fit.rateVariance
    sort(outbound, inbound, slope: fit.rate)
    chooseLevel()
    let height = Self.levels[level]
    fit.offset = (out.quantile(height) - back.quantile(height)) / 2
    fit.offsetVariance = variance(height)
    (fit.leastOut, fit.leastBack) = (out.least, back.least)
    return fit
  }

  /// Variance of the offset if read from quantiles of this level, ns².
  private func variance(_ level: Double) -> Double {
    // Too few to tell: it may lie anywhere within half the round trip.
    let few = Double(min(out.count, back.count))
    let unknown = (out.least + back.least) / (4 * few * few)
    let stamps = 100.0
    return (out.variance(level) + back.variance(level)) / 4 + unknown * unknown + stamps * stamps
  }

  /// Takes another level if it has long promised less error.
  private mutating func chooseLevel() {
    fits = min(fits + 1, 20)
    let edge = variance(0)
    var best = 0
    for index in Self.levels.indices {
      let height = Self.levels[index]
      let own = variance(height)
      let lean = ((out.quantile(height) - out.least) - (back.quantile(height) - back.least)) / 2
      let cost = own + max(0, lean * lean - 2 * (edge + own))
      costs[index] += (cost - costs[index]) / fits
      if costs[index] < costs[best] { best = index }
    }
    if costs[best] < 0.8 * costs[level] { level = best }
  }

  /// The slope at which the check functions of both directions are least, by halving.
  private mutating func steepness(
    _ outbound: borrowing DelaySamples, _ inbound: borrowing DelaySamples
  ) -> Double {
    var (low, high) = (-Self.steepest, Self.steepest)
    // To 0.02 ppm.
    for _ in 0..<14 {
      let middle = (low + high) / 2
      let pull =
        out.pull(outbound, slope: middle, centre: fit.centre, level: Self.levels[level])
        - back.pull(inbound, slope: -middle, centre: fit.centre, level: Self.levels[level])
      if pull > 0 { low = middle } else { high = middle }
    }
    return (low + high) / 2
  }

  private mutating func sort(
    _ outbound: borrowing DelaySamples, _ inbound: borrowing DelaySamples, slope: Double
  ) {
    out.fill(outbound, slope: slope, centre: fit.centre)
    back.fill(inbound, slope: -slope, centre: fit.centre)
    out.sort()
    back.sort()
  }
}
