import Glibc

/// A window: a curve by which a section of a signal is multiplied, so that a tone leaks less into distant bins.
///
/// The levels in the comments of the cases, in dB, are relative to the peak of the tone in the spectrum.
///
/// The functions `hanning`, `hamming` and `blackman` of the original MoMu give the samples of `.hann`, `.hamming` and
/// `.blackman` with `isSymmetric` false. Its function `apply_window` is `apply` here.
public enum FFTWindow: Sendable, CaseIterable {
  /// No window: every sample is 1.
  case rectangular
  /// The Hann window, a raised cosine: a tone leaks into neighbour bins at −6 dB, beyond two bins at less than −31 dB.
  case hann
  /// The Hamming window, a raised cosine plus a constant: beyond two bins, a tone leaks at less than −42 dB.
  case hamming
  /// The Blackman window, of three cosine terms: beyond three bins, a tone leaks at less than −58 dB.
  case blackman
  /// The Blackman-Harris window, of four terms: beyond four bins, a tone leaks at less than −92 dB.
  ///
  /// The peak of a tone (main lobe) is twice as wide as with the Hann window.
  case blackmanHarris

  /// The weights of the cosines that make 0, 1, 2 and 3 turns over the length of the window.
  ///
  /// - Source: F. J. Harris, *On the use of windows for harmonic analysis with the discrete Fourier transform*,
  ///   Proc. IEEE 66(1) (1978).
  private var weights: (Double, Double, Double, Double) {
    switch self {
    case .rectangular: (1, 0, 0, 0)
    case .hann: (0.5, -0.5, 0, 0)
    case .hamming: (0.54, -0.46, 0, 0)
    case .blackman: (0.42, -0.5, 0.08, 0)
    case .blackmanHarris: (0.35875, -0.48829, 0.14128, -0.01168)
    }
  }

  /// Returns the samples of the window.
  ///
  /// - Parameters:
  ///   - count: the number of samples, at least 1; with a smaller number, the program stops.
  ///   - isSymmetric: true, for the design of filters, makes the last sample equal to the first. False, for spectra and
  ///     `STFT`, makes the window periodic: the sample after the last would equal the first.
  /// - Real-time safe: no.
  public func samples(_ count: Int, isSymmetric: Bool = false) -> [Float] {
    precondition(count >= 1, "a window must have at least one sample")
    var samples = [Float](repeating: 1, count: count)
    guard count > 1 else { return samples }
    let (constant, once, twice, thrice) = weights
    let turn = 2 * Double.pi / Double(isSymmetric ? count - 1 : count)
    for index in 0..<count {
      let angle = turn * Double(index)
      samples[index] = Float(
        constant + once * cos(angle) + twice * cos(2 * angle) + thrice * cos(3 * angle))
    }
    return samples
  }

  /// Multiplies samples of a signal by the equally many samples of a window, in place.
  ///
  /// If the counts differ, the program stops with a message.
  ///
  /// - Real-time safe: yes.
  public static func apply(_ window: [Float], to samples: inout [Float]) {
    precondition(window.count == samples.count, "the window must be as long as the signal")
    for index in samples.indices { samples[index] *= window[index] }
  }
}
