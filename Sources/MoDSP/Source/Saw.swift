/// A sawtooth that rises from −1 to 1, and then jumps back to −1.
///
/// It has every harmonic; the amplitude of the nth harmonic is 1/n of the fundamental's amplitude.
///
/// At 48 kHz and for tones up to 5 kHz, false tones caused by sampling (aliases) are at least 60 dB softer than the
/// fundamental. For lower tones, the aliases are even softer. The highest harmonics, from 0.38 of the sample rate on,
/// are attenuated. The output is 12 samples late, and overshoots ±1 by a tenth around its jumps.
///
/// - Thread: one owner; the audio thread during play.
/// - Real-time safe: `tick`, yes.
@frozen
public struct Saw: Oscillator {
  /// The frequency in Hz, clamped to 0 … half the sample rate during play; NaN counts as 0.
  public var frequency: Double
  /// The position in the cycle, 0 ..< 1: the waveform is −1 at 0, and 0 at 0.5.
  public var phase = 0.5
  @usableFromInline var step: PhaseStep
  @usableFromInline var limit = BandLimit()

  /// Creates an oscillator in the middle of its rise, at 0.
  public init(frequency: Double = 440, sampleRate: Double = 48_000) {
    self.frequency = frequency
    step = PhaseStep(sampleRate: sampleRate)
  }

  /// Adapts the oscillator to a sample rate and resets it to the middle of its rise.
  public mutating func prepare(sampleRate: Double) {
    self = Saw(frequency: frequency, sampleRate: sampleRate)
  }

  /// Returns the next sample.
  @inlinable
  public mutating func tick() -> Float {
    let step = step(frequency)
    phase += step
    if phase >= 1 {
      phase -= 1
      limit.jump(by: -2, late: phase / step)
    }
    return limit.next(2 * phase - 1)
  }
}
