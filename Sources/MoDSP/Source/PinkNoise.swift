import MoCore

/// Pink noise: equally strong in every octave, so the spectrum falls by 3 dB per octave.
///
/// The spectrum is exact within ±0.2 dB from 1/3200 of the sample rate (15 Hz at 48 kHz) to 0.46 of that rate. The
/// root mean square of the noise is 0.2; the noise exceeds ±1 about once in two million samples.
///
/// - Source: white noise through eight one-poles in parallel, spaced by a factor of 3, since f^(−1/2) is an
///   integral over one-poles (J. O. Smith, H. F. Smith, *Closed form fractional integration and differentiation
///   via real exponentially spaced pole-zero pairs*, 2016); weights by least squares over decibels.
/// - Thread: one owner; the audio thread during play.
/// - Real-time safe: `tick`, yes.
@frozen
public struct PinkNoise: SampleSource {
  @usableFromInline var white: Noise
  @usableFromInline var states = SIMD8<Float>.zero

  /// Creates a generator from a seed; nil takes the next seed of `SeedSource`.
  public init(seed: UInt64? = nil) {
    white = Noise(seed: seed)
    for _ in 0..<16_384 { _ = tick() }  // until the slowest pole reaches its level
  }

  /// Returns the next sample.
  @inlinable
  public mutating func tick() -> Float {
    let input = white.tick()
    states =
      states * SIMD8(0.20788, 0.592385, 0.839849, 0.943482, 0.980794, 0.993557, 0.997848, 0.999282)
      + input * SIMD8(0.115651, 0.03365, 0.031474, 0.015525, 0.010155, 0.005567, 0.003536, 0.003741)
    return states.sum() - 0.033802 * input
  }
}
