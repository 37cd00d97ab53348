import Glibc

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

/// The earliest pulse in the output of a matched filter; noise and the side lobes of later pulses do not count.
///
/// The loudest pulse may be a reflection from a wall. The direct sound always arrives first.
struct FirstArrival: Equatable {
  /// The delay of the pulse, in frames with fractions.
  let delay: Double

  /// The lowest height of a first arrival, as a share of the loudest pulse (−12 dB).
  private static let leastShare: Float = 0.25
  /// The lowest height of a first arrival, as a multiple of the envelope's median.
  ///
  /// Gaussian noise reaches this height in one of 10,000 clicks.
  private static let leastStrength: Float = 5

  /// - Parameter envelope: the output of a matched filter; the index is the delay, in frames. More than half of the
  ///   values must be noise, since their median is taken as the level of the noise.
  /// - Returns: nil if there is no pulse.
  init?(in envelope: [Float]) {
    guard envelope.count > 2, let most = envelope.max(), most > 0 else { return nil }
    let median = envelope.sorted()[envelope.count / 2]
    let limit = max(Self.leastShare * most, Self.leastStrength * median)
    let peak = (1..<envelope.count - 1).first {
      envelope[$0] >= limit && envelope[$0] >= envelope[$0 - 1] && envelope[$0] > envelope[$0 + 1]
    }
    guard let peak else { return nil }
    // Near its top, the pulse is a Gaussian; its logarithm is a parabola.
    let (before, top, after) = (log(envelope[peak - 1]), log(envelope[peak]), log(envelope[peak + 1]))
    let bow = before - 2 * top + after
    let shift = bow.isFinite && bow < 0 ? (before - after) / (2 * bow) : 0
    delay = Double(peak) + Double(max(-0.5, min(0.5, shift)))
  }
}
