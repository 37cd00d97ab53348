import MoDSPCore

/// Noise that is added before rounding to 16 bits, so that the rounding error is noise for any sound.
///
/// Its distribution is triangular, from −1 to 1 steps of 16 bits: the least noise that makes the error's mean and power
/// independent of the sound. Sound below one step is then still audible, in noise of −96 dB.
///
/// - Source: S. P. Lipshitz, R. A. Wannamaker, J. Vanderkooy, *Quantization and Dither: A Theoretical Survey*,
///   JAES 40(5) (1992).
package struct Dither {
  private var noise: Noise

  package init(seed: UInt64?) { noise = Noise(seed: seed) }

  /// Adds the noise; NaN stays NaN.
  mutating func add(to samples: inout [Float]) {
    for index in samples.indices { samples[index] += (noise.tick() + noise.tick()) * 0x1p-16 }
  }
}
