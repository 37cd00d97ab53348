import MoDSPCore

/// Noise that is added before rounding to 16 bits, so that the rounding error is noise for any sound.
///
/// The noise has a triangular distribution from −1 to +1 times the least significant bit. It is the weakest noise that
/// makes the mean and the power of the rounding error independent of the sound. Sound below the least significant bit
/// is then still audible, in noise of −96 dBFS.
///
/// - Source: S. P. Lipshitz, R. A. Wannamaker, J. Vanderkooy, *Quantization and Dither: A Theoretical Survey*,
///   JAES 40(5) (1992).
package struct Dither {
  private var noise: Noise

  package init(seed: UInt64?) { noise = Noise(seed: seed) }

  /// Adds noise to samples that will be rounded to 16 bits; NaN stays NaN.
  mutating func add(to samples: inout [Float]) {
    for index in samples.indices { samples[index] += (noise.tick() + noise.tick()) * 0x1p-16 }
  }
}
