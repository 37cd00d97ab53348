import Glibc
import MoMu

/// A matched filter: correlates a recording with a chirp at each delay, to find the chirp.
struct MatchedFilter {
  private let chirpFrames: Int
  private let fft: ComplexFFT
  private let scratch: FFTScratch
  /// The conjugate spectrum of the chirp; the real part of its signal is the chirp, the imaginary part its quadrature.
  private let spectrum: [Complex]

  /// The largest size of `ComplexFFT`, longer than any chirp.
  private static let size = 65_536

  init(chirp: Chirp) {
    guard chirp.frames < Self.size, let fft = try? ComplexFFT(size: Self.size) else {
      preconditionFailure("the chirp must be shorter than the transform")
    }
    self.fft = fft
    scratch = fft.makeScratch()
    chirpFrames = chirp.frames
    var values = zip(chirp.samples, chirp.quadrature).map { Complex($0, $1) }
    values += [Complex](repeating: Complex(0), count: Self.size - values.count)
    fft.forward(&values, scratch: scratch)
    spectrum = values.map(\.conjugate)
  }

  /// Returns the correlation of the recording with the chirp at each delay, regardless of phase and polarity.
  ///
  /// The correlation is computed with an FFT, in sections that overlap by the length of the chirp.
  ///
  /// - Parameters:
  ///   - recording: the samples; frames beyond the end count as silence.
  ///   - start: the frame of delay 0.
  ///   - delays: the number of delays to try: 0 to `delays` - 1 frames.
  func envelope(of recording: [Float], from start: Int, delays: Int) -> [Float] {
    var envelope: [Float] = []
    while envelope.count < delays {
      let first = start + envelope.count
      var values = (first..<first + Self.size).map { frame in
        let sample = recording.indices.contains(frame) ? recording[frame] : 0
        return Complex(sample.isFinite ? sample : 0)
      }
      fft.forward(&values, scratch: scratch)
      for bin in values.indices { values[bin] = values[bin] * spectrum[bin] }
      fft.inverse(&values, scratch: scratch)
      // The later values are wrong, since the correlation is circular.
      let valid = min(Self.size - chirpFrames, delays - envelope.count)
      envelope += values.prefix(valid).map(\.magnitude)
    }
    return envelope
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
