/// The delays seen in one direction, newest last, in a ring that never grows.
///
/// What is kept is delay plus or minus the clocks' offset, in nanoseconds against a common reference.
struct DelaySamples: Sendable {
  struct Sample: Sendable, BitwiseCopyable {
    /// Own time, nanoseconds after the reference.
    var time: Double
    /// Apparent delay in nanoseconds.
    var delay: Double
  }

  private var ring: [Sample]
  private var start = 0
  private(set) var count = 0

  init(capacity: Int) { ring = Array(repeating: Sample(time: 0, delay: 0), count: capacity) }

  /// The samples from the oldest, 0, to the newest.
  subscript(index: Int) -> Sample {
    let place = start + index
    return ring[place < ring.count ? place : place - ring.count]
  }

  /// Takes one in; the oldest gives way when full.
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

  /// Drops what is older than a time.
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

  /// How strongly the samples would turn a line through one of them that leaves `share` of them below.
  func pull(slope: Double, centre: Double, height: Double, share: Double) -> Double {
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
    // The one on the line makes up the balance.
    return share / Double(count) * ages - agesBelow - (share - below) * ageOnLine
  }
}

/// Packets that came impossibly early, held back: one may be a bad stamp, three in a row are a step.
struct EarlySamples: Sendable {
  private var samples = InlineArray<3, DelaySamples.Sample>(repeating: .init(time: 0, delay: 0))
  private(set) var count = 0

  var isEmpty: Bool { count == 0 }

  subscript(index: Int) -> DelaySamples.Sample { samples[index] }

  /// Takes one in and says whether it is full.
  mutating func add(_ sample: DelaySamples.Sample) -> Bool {
    samples[count] = sample
    count += 1
    return count == 3
  }

  mutating func removeAll() { count = 0 }
}
