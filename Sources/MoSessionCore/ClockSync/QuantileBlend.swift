/// One number for each of the quantile levels of a `QuantileBlend`.
typealias Levels = InlineArray<5, Double>

/// A weighted blend of delay quantiles: the quantiles with the least variance get the most weight.
///
/// If delays crowd at the minimum, the lowest quantile is best. If they form a hump, some quantiles of the lower half
/// are best. A level has a bias if its quantile is further above the minimum in one direction than in the other. The
/// bias reduces the level's weight.
///
/// - Source: H. Zou, M. Yuan, *Composite quantile regression and the oracle model selection theory*, Annals of
///   Statistics 36 (2008); R. Koenker, G. Bassett (1978) for the variances.
struct QuantileBlend: Sendable {
  /// The quantile levels, from the minimum to the median.
  static let levels: Levels = [0, 0.04, 0.12, 0.28, 0.5]

  /// The weight of each level's quantile in `height`; the sum of the weights is 1.
  private(set) var weights: Levels = [0, 1, 0, 0, 0]

  /// The weight of each level in the fit of the lines' slope: its weight in `weights` times its sparsity.
  ///
  /// Without the sparsity, a level around which samples are few would have too little effect on the slope.
  var slopeWeights: Levels {
    var product = weights
    for index in product.indices { product[index] *= sparsities[index] }
    return product
  }

  // Running means: the sparsity of the delays in ns, and the cost of each level for one sample in ns².
  private var sparsities = Levels(repeating: 1)
  private var costs = Levels(repeating: 0)
  private var updates = 0.0

  /// The largest cost of a level that still has a weight, as a multiple of the least cost of a level.
  ///
  /// The cost is the variance plus the estimated square of the bias.
  private static let costLimit = 1 / 0.3
  /// The penalty for the levels from 0.12 on: with n samples, their cost is multiplied by 1 + `smallSamplePenalty` / n.
  ///
  /// If there are few samples, these levels seem better than they are.
  private static let smallSamplePenalty = 12.0

  /// Returns the blended quantile of sorted delays.
  func height(_ sorted: borrowing OrderStatistics) -> Double {
    var sum = 0.0
    for index in weights.indices where weights[index] > 0 {
      sum += weights[index] * sorted.quantile(Self.levels[index])
    }
    return sum
  }

  /// Returns the variance of the offset in ns², for `count` samples in each direction.
  ///
  /// The offset is half the difference of the two directions' heights.
  func variance(count: Double) -> Double {
    var sum = 0.0
    for first in weights.indices where weights[first] > 0 {
      for second in weights.indices where weights[second] > 0 {
        sum += weights[first] * weights[second] * covariance(first, second, count: count)
      }
    }
    return sum
  }

  /// Updates the weights from the sorted delays of both directions, with `count` samples each.
  mutating func update(out: borrowing OrderStatistics, back: borrowing OrderStatistics, count: Double) {
    updates = min(updates + 1, 20)
    for index in sparsities.indices {
      let level = Self.level(index, count: count)
      let (there, here) = (out.sparsity(level), back.sparsity(level))
      let both = max(1, ((there * there + here * here) / 2).squareRoot())
      sparsities[index] += (both - sparsities[index]) / min(updates, 4)
    }
    let edge = covariance(0, 0, count: count)
    for index in costs.indices {
      let level = Self.levels[index]
      let own = covariance(index, index, count: count)
      let asymmetry = ((out.quantile(level) - out.least) - (back.quantile(level) - back.least)) / 2
      let bias = max(0, asymmetry * asymmetry - 2 * (edge + own))
      let penalty = index > 1 ? 1 + Self.smallSamplePenalty / count : 1
      costs[index] += (count * (own + bias) * penalty - costs[index]) / updates
    }
    updateWeights()
  }

  private mutating func updateWeights() {
    var leastCost = Double.infinity
    for index in costs.indices { leastCost = min(leastCost, costs[index]) }
    var sum = 0.0
    for index in weights.indices {
      weights[index] = max(0, leastCost / costs[index] - 1 / Self.costLimit)
      sum += weights[index]
    }
    for index in weights.indices { weights[index] /= sum }
  }

  /// Returns the covariance, in ns², of the offsets that two quantile levels give.
  private func covariance(_ first: Int, _ second: Int, count: Double) -> Double {
    let low = Self.level(min(first, second), count: count)
    let high = Self.level(max(first, second), count: count)
    // The distribution of the minimum has no bell shape, but a long tail.
    let tail = (first == 0 ? 2.0 : 1) * (second == 0 ? 2 : 1)
    return tail * low * (1 - high) * sparsities[first] * sparsities[second] / (2 * count)
  }

  /// Returns the quantile level at an index, but at least 1/(n + 1): the minimum of n samples lies at about this level.
  private static func level(_ index: Int, count: Double) -> Double { max(levels[index], 1 / (count + 1)) }
}
