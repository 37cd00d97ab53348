/// A reusable buffer that sorts a few hundred numbers without allocating.
struct OrderStatistics: Sendable {
  private(set) var values: [Double]
  private(set) var count = 0

  init(capacity: Int) { values = Array(repeating: 0, count: capacity) }

  /// Fills the buffer with the delays of one direction, minus `slope` times each sample's time after `centre`.
  mutating func fill(_ samples: borrowing DelaySamples, slope: Double, centre: Double) {
    count = samples.count
    for index in 0..<count {
      let sample = samples[index]
      values[index] = sample.delay - slope * (sample.time - centre)
    }
  }

  /// Returns the value with the rank `rank` among the values up to the index `last`; rank 0 is the smallest.
  ///
  /// This reorders the values.
  ///
  /// - Source: C. A. R. Hoare, Algorithm 65: Find, CACM 4 (1961).
  mutating func select(_ rank: Int, through last: Int) -> Double {
    var (low, high) = (0, last)
    while low < high {
      let pivot = values[rank]
      var (left, right) = (low, high)
      while left <= right {
        while values[left] < pivot { left += 1 }
        while pivot < values[right] { right -= 1 }
        if left <= right {
          values.swapAt(left, right)
          left += 1
          right -= 1
        }
      }
      if right < rank { low = left }
      if rank < left { high = right }
    }
    return values[rank]
  }

  /// Sorts the values in ascending order, in place.
  ///
  /// - Source: J. W. J. Williams, Algorithm 232: Heapsort, CACM 7 (1964).
  mutating func sort() {
    for root in stride(from: count / 2 - 1, through: 0, by: -1) { sift(root, end: count) }
    for end in stride(from: count - 1, through: 1, by: -1) {
      values.swapAt(0, end)
      sift(0, end: end)
    }
  }

  /// Moves the value at `root` down to its place in the heap.
  private mutating func sift(_ root: Int, end: Int) {
    let sinking = values[root]
    var place = root
    while 2 * place + 1 < end {
      var child = 2 * place + 1
      if child + 1 < end, values[child] < values[child + 1] { child += 1 }
      guard sinking < values[child] else { break }
      values[place] = values[child]
      place = child
    }
    values[place] = sinking
  }

  /// Returns the quantile at `level`, 0…1, of sorted values, interpolated between ranks.
  ///
  /// Level 0 is the smallest value.
  func quantile(_ level: Double) -> Double {
    let position = min(max(level * Double(count) - 0.5, 0), Double(count - 1))
    let rank = min(Int(position), count - 2)
    guard rank >= 0 else { return values[0] }
    return values[rank] + (position - Double(rank)) * (values[rank + 1] - values[rank])
  }

  /// The smallest of the sorted values.
  var least: Double { values[0] }

  /// Returns the sparsity of sorted values around a level: the derivative of the quantile.
  ///
  /// - Source: M. M. Siddiqui, *Distribution of quantiles in samples from a bivariate population*, J. Res. NBS 64B
  ///   (1960).
  func sparsity(_ level: Double) -> Double {
    let reach = max(0.7 * level, 1.5 / Double(count))
    let (low, high) = (max(0, level - reach), min(1, level + reach))
    return (quantile(high) - quantile(low)) / (high - low)
  }

  /// Returns the negative derivative, along the slope, of Koenker and Bassett's check function, summed over quantile
  /// levels.
  ///
  /// The result is positive if steeper lines fit the samples better. Each level has its weight in `weights`, and its
  /// line has the optimal height. The values are not sorted afterwards.
  mutating func gradient(
    _ samples: borrowing DelaySamples, slope: Double, centre: Double, weights: Levels
  ) -> Double {
    fill(samples, slope: slope, centre: centre)
    var total = 0.0
    var last = count - 1
    for index in weights.indices.reversed() where weights[index] > 0 {
      let share = max(QuantileBlend.levels[index] * Double(count), 0.5)
      let rank = Int(share)
      let height = select(rank, through: last)
      last = rank
      total += weights[index] * samples.gradient(slope: slope, centre: centre, height: height, share: share)
    }
    return total
  }
}
