/// Room to sort a few hundred numbers in, without allocating each time.
struct OrderStatistics: Sendable {
  private(set) var values: [Double]
  private(set) var count = 0

  init(capacity: Int) { values = Array(repeating: 0, count: capacity) }

  /// Takes the delays of one direction, less `slope` times their age against `centre`.
  mutating func fill(_ samples: borrowing DelaySamples, slope: Double, centre: Double) {
    count = samples.count
    for index in 0..<count {
      let sample = samples[index]
      values[index] = sample.delay - slope * (sample.time - centre)
    }
  }

  /// The value of a rank, 0 being the least.
  ///
  /// Reorders.
  ///
  /// - Source: C. A. R. Hoare, Algorithm 65: Find, CACM 4 (1961).
  mutating func select(_ rank: Int) -> Double {
    var (low, high) = (0, count - 1)
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

  /// Sorts in place.
  ///
  /// - Source: J. W. J. Williams, Algorithm 232: Heapsort, CACM 7 (1964).
  mutating func sort() {
    for root in stride(from: count / 2 - 1, through: 0, by: -1) { sift(root, end: count) }
    for end in stride(from: count - 1, through: 1, by: -1) {
      values.swapAt(0, end)
      sift(0, end: end)
    }
  }

  /// Lets the value at `root` sink to its place in the heap.
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

  /// The quantile at `level`, 0…1, of sorted values, between ranks where needed.
  ///
  /// Level 0 is the least of them.
  func quantile(_ level: Double) -> Double {
    let position = min(max(level * Double(count) - 0.5, 0), Double(count - 1))
    let rank = min(Int(position), count - 2)
    guard rank >= 0 else { return values[0] }
    return values[rank] + (position - Double(rank)) * (values[rank + 1] - values[rank])
  }

  /// The least of sorted values.
  var least: Double { values[0] }

  /// Variance of the quantile at `level` of sorted values, from how thinly they lie around it.
  ///
  /// - Source: M. M. Siddiqui, *Distribution of quantiles in samples from a bivariate population*, J. Res. NBS
  ///   64B (1960), for the sparsity.
  func variance(_ level: Double) -> Double {
    let count = Double(count)
    let middle = max(level, 1 / (count + 1))
    let reach = max(0.7 * middle, 1.5 / count)
    let (low, high) = (max(0, middle - reach), min(1, middle + reach))
    let sparsity = (quantile(high) - quantile(low)) / (high - low)
    // The very least has no bell curve around it, but a long tail.
    let tail = level == 0 ? 4.0 : 1
    return tail * middle * (1 - middle) / count * sparsity * sparsity
  }

  /// Which way, and how strongly, the samples would turn a line at this level: positive is upwards.
  ///
  /// The negative derivative of Koenker and Bassett's check function along the slope, the height being at its
  /// best. Leaves the values unsorted.
  mutating func pull(
    _ samples: borrowing DelaySamples, slope: Double, centre: Double, level: Double
  ) -> Double {
    fill(samples, slope: slope, centre: centre)
    let count = Double(count)
    let level = max(level, 0.5 / count)
    let height = select(Int(level * count))
    var (sum, ageOnLine, below) = (0.0, 0.0, 0.0)
    for index in 0..<samples.count {
      let age = samples[index].time - centre
      let value = samples[index].delay - slope * age
      sum += level * age
      if value < height {
        sum -= age
        below += 1
      } else if value == height {
        ageOnLine = age
      }
    }
    // The sample that the line goes through takes what is left to balance the height.
    return sum - (level * count - below) * ageOnLine
  }
}
