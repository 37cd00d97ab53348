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
