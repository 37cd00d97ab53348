/// A matched filter: correlates a recording with a chirp at each delay, to find the chirp.
struct MatchedFilter {
  let chirp: Chirp

  /// Returns the correlation of the recording with the chirp at each delay, regardless of phase and polarity.
  ///
  /// - Parameters:
  ///   - recording: the samples; frames beyond the end count as silence.
  ///   - start: the frame of delay 0.
  ///   - delays: the number of delays to try: 0 to `delays` - 1 frames.
  func envelope(of recording: [Float], from start: Int, delays: Int) -> [Float] {
    var stretch = [Float](repeating: 0, count: delays + chirp.frames)
    for index in stretch.indices where recording.indices.contains(start + index) {
      let sample = recording[start + index]
      if sample.isFinite { stretch[index] = sample }
    }
    return stretch.withUnsafeBytes { sound in
      chirp.samples.withUnsafeBytes { inPhase in
        chirp.quadrature.withUnsafeBytes { quadrature in
          (0..<delays).map { Self.loudness(sound, at: $0, inPhase, quadrature) }
        }
      }
    }
  }

  private static func loudness(
    _ sound: UnsafeRawBufferPointer, at delay: Int, _ inPhase: UnsafeRawBufferPointer,
    _ quadrature: UnsafeRawBufferPointer
  ) -> Float {
    typealias Eight = SIMD8<Float>
    var (real, imaginary) = (Eight.zero, Eight.zero)
    var offset = 0
    while offset < inPhase.count {
      let heard = sound.loadUnaligned(fromByteOffset: 4 * delay + offset, as: Eight.self)
      real += heard * inPhase.loadUnaligned(fromByteOffset: offset, as: Eight.self)
      imaginary += heard * quadrature.loadUnaligned(fromByteOffset: offset, as: Eight.self)
      offset += MemoryLayout<Eight>.size
    }
    let (x, y) = (real.sum(), imaginary.sum())
    return (x * x + y * y).squareRoot()
  }
}
