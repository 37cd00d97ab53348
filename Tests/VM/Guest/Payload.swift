/// Known pseudo-random frames: after whatever silence a capture begins with, they must come back unchanged.
struct Payload<Sample: FixedWidthInteger> {
  let samples: [Sample]

  /// Full-scale noise by xorshift (Marsaglia 2003), in the sample's upper `bits`.
  init(frames: Int, channels: Int = 2, bits: Int = Sample.bitWidth, seed: UInt32 = 1) {
    var state = seed
    samples = (0..<frames * channels).map { _ in
      state ^= state << 13
      state ^= state >> 17
      state ^= state << 5
      let wide = Sample(truncatingIfNeeded: Int64(state) >> (32 - min(bits, 32)))
      return wide << (Sample.bitWidth - bits)
    }
  }

  /// What is wrong with `heard`, or nil where it holds every sample in order.
  ///
  /// Only the samples' upper `bits` are looked at. The first 16 samples are the marker that says where the payload begins.
  func flaw(in heard: [Sample], bits: Int = Sample.bitWidth) -> String? {
    let mask = ~Sample.zero << (Sample.bitWidth - bits)
    let marker = samples.prefix(16).map { $0 & mask }
    let starts = 0...max(0, heard.count - marker.count)
    guard
      let start = starts.first(where: { at in
        heard[at] & mask == marker[0] && heard[at...].prefix(16).map { $0 & mask } == marker
      })
    else { return "the start was not heard in \(heard.count) samples" }
    for (index, sample) in samples.enumerated() {
      guard start + index < heard.count else { return "ends after \(index) of \(samples.count) samples" }
      let got = heard[start + index]
      if got & mask != sample & mask { return "sample \(index) is \(got), played \(sample)" }
    }
    return nil
  }
}
