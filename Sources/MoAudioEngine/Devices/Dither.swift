import MoDSPCore

/// Noise that is added before samples are rounded to 16 bits, so that the error is noise, too, whatever the sound.
///
/// It is triangular, from −1 to 1 of the last bit: the least that frees the error's mean and its loudness of the
/// sound. What is softer than the last bit can then still be heard, in noise of −96 dB.
///
/// - Source: S. P. Lipshitz, R. A. Wannamaker, J. Vanderkooy, *Quantization and Dither: A Theoretical Survey*,
///   JAES 40(5) (1992).
package struct Dither {
  private var noise: Noise

  package init(seed: UInt64?) { noise = Noise(seed: seed) }

  /// Adds it; what is no number stays so.
  mutating func add(to samples: inout [Float]) {
    for index in samples.indices { samples[index] += (noise.tick() + noise.tick()) * 0x1p-16 }
  }
}
