/// A ring buffer of fixed size with the delays in one direction, oldest first.
///
/// A sample is the delay plus the clocks' offset for outgoing packets, or minus the offset for returning packets. It is
/// in nanoseconds, relative to a common reference.
struct DelaySamples: Sendable {
  struct Sample: Sendable, BitwiseCopyable {
    /// The local time, in nanoseconds after the reference.
    var time: Double
    /// The apparent delay in nanoseconds.
    var delay: Double
  }

  private var ring: [Sample]
  private var start = 0
  private(set) var count = 0

  init(capacity: Int) { ring = Array(repeating: Sample(time: 0, delay: 0), count: capacity) }

  /// Returns the sample at an index; index 0 is the oldest sample.
  subscript(index: Int) -> Sample {
    let place = start + index
    return ring[place < ring.count ? place : place - ring.count]
  }

  /// Adds a sample; replaces the oldest if the buffer is full.
  mutating func add(_ sample: Sample) {
    if count == ring.count { removeFirst() }
    let place = start + count
    ring[place < ring.count ? place : place - ring.count] = sample
    count += 1
  }

  mutating func removeFirst() {
    start = start + 1 == ring.count ? 0 : start + 1
    count -= 1
  }

  /// Drops the samples before a time.
  mutating func drop(before time: Double) {
    while count > 0, self[0].time < time { removeFirst() }
  }

  mutating func removeAll() { (start, count) = (0, 0) }

  var sumOfTimes: Double {
    var sum = 0.0
    for index in 0..<count { sum += self[index].time }
    return sum
  }

  func squaredTimes(around centre: Double) -> Double {
    var sum = 0.0
    for index in 0..<count {
      let age = self[index].time - centre
      sum += age * age
    }
    return sum
  }

  /// Returns the negative derivative, along the slope of a line, of Koenker and Bassett's check function.
  ///
  /// The result is positive if a steeper line fits the samples better. The line passes through one sample, and `share`
  /// samples are below it.
  func gradient(slope: Double, centre: Double, height: Double, share: Double) -> Double {
    var (ages, agesBelow, below, ageOnLine) = (0.0, 0.0, 0.0, 0.0)
    for index in 0..<count {
      let sample = self[index]
      let age = sample.time - centre
      let value = sample.delay - slope * age
      ages += age
      if value < height {
        agesBelow += age
        below += 1
      } else if value == height {
        ageOnLine = age
      }
    }
    // The sample on the line balances the sum.
    return share / Double(count) * ages - agesBelow - (share - below) * ageOnLine
  }
}

/// A buffer of packets that came impossibly early.
///
/// A single such packet may have a bad timestamp; three in a row mean that a clock has stepped.
struct EarlySamples: Sendable {
  private var samples = InlineArray<3, DelaySamples.Sample>(repeating: .init(time: 0, delay: 0))
  private(set) var count = 0

  var isEmpty: Bool { count == 0 }

  subscript(index: Int) -> DelaySamples.Sample { samples[index] }

  /// Adds a sample; returns whether the buffer is full, with three samples.
  mutating func add(_ sample: DelaySamples.Sample) -> Bool {
    samples[count] = sample
    count += 1
    return count == 3
  }

  mutating func removeAll() { count = 0 }
}
