/// Known pseudo-random samples, which must come back unchanged.
struct Payload {
  let samples: [Int32]

  /// Full-scale noise by xorshift (Marsaglia 2003); the low bits that `format` does not hold are zero.
  init(frames: Int, channels: Int = 2, format: SampleFormat, seed: UInt32 = 1) {
    let mask = Payload.mask(format.bits)
    var state = seed
    samples = (0..<frames * channels).map { _ in
      state ^= state << 13
      state ^= state >> 17
      state ^= state << 5
      return Int32(bitPattern: state) & mask
    }
  }

  /// Returns the fault in `heard`; nil if it holds every sample in order.
  ///
  /// It compares only the samples' upper `bits`. A recording begins with silence; the first 16 samples of the payload
  /// are the marker of its beginning.
  func flaw(in heard: [Int32], bits: Int = 32) -> String? {
    let mask = Payload.mask(bits)
    func same(_ a: Int32, _ b: Int32) -> Bool { (a ^ b) & mask == 0 }
    let marker = samples.prefix(16)
    let last = heard.count - marker.count
    guard
      let start = (0...max(0, last)).first(where: { heard.count > $0 && begins(heard[$0...], marker, same) })
    else { return "the start was not heard in \(heard.count) samples" }
    for (index, sample) in samples.enumerated() {
      guard start + index < heard.count else { return "ends after \(index) of \(samples.count) samples" }
      let got = heard[start + index]
      if !same(got, sample) { return "sample \(index) is \(got), played was \(sample)" }
    }
    return nil
  }

  private func begins(
    _ heard: ArraySlice<Int32>, _ marker: ArraySlice<Int32>, _ same: (Int32, Int32) -> Bool
  ) -> Bool {
    heard.count >= marker.count && zip(heard, marker).allSatisfy(same)
  }

  private static func mask(_ bits: Int) -> Int32 { Int32(bitPattern: UInt32.max << UInt32(32 - bits)) }
}
