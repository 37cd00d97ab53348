/// A triangle wave between −1 and 1.
///
/// It has every odd harmonic; the amplitude of the nth harmonic is 1/n² of the fundamental's amplitude.
///
/// At 48 kHz, false tones caused by sampling (aliases) are more than 60 dB softer than the fundamental for tones up to
/// 5 kHz, and softer still for lower tones. The highest harmonics, from 0.38 of the sample rate on, are attenuated. The
/// output is delayed by 12 samples.
///
/// - Thread: one owner; the audio thread during play.
/// - Real-time safe: `tick`, yes.
@frozen
public struct Triangle: Oscillator {
  /// The frequency in Hz, clamped to 0 … half the sample rate during play; NaN counts as 0.
  public var frequency: Double
  /// The position in the cycle, 0 ..< 1: the waveform is 0 at 0 and 0.5, 1 at 0.25, and −1 at 0.75.
  public var phase = 0.0
  @usableFromInline var step: PhaseStep
  @usableFromInline var limit = BandLimit()

  /// Creates an oscillator at the start of its cycle, as it rises from 0.
  public init(frequency: Double = 440, sampleRate: Double = 48_000) {
    self.frequency = frequency
    step = PhaseStep(sampleRate: sampleRate)
  }

  /// Adapts the oscillator to a sample rate and resets it to the start of its cycle.
  public mutating func prepare(sampleRate: Double) {
    self = Triangle(frequency: frequency, sampleRate: sampleRate)
  }

  /// Returns the next sample.
  @inlinable
  public mutating func tick() -> Float {
    let step = step(frequency)
    let before = phase
    phase += step
    // A step is half a cycle at most, so it passes each corner once at most.
    if before < 0.25 && phase >= 0.25 { limit.turn(by: -8 * step, late: (phase - 0.25) / step) }
    if before < 0.75 && phase >= 0.75 { limit.turn(by: 8 * step, late: (phase - 0.75) / step) }
    if phase >= 1.25 { limit.turn(by: -8 * step, late: (phase - 1.25) / step) }
    if phase >= 1 { phase -= 1 }
    return limit.next(4 * abs(abs(phase - 0.25) - 0.5) - 1)
  }
}
