/// A square wave between 1 and −1, or a pulse of another width.
///
/// The square has every odd harmonic; the amplitude of the nth harmonic is 1/n of the fundamental's amplitude.
///
/// At 48 kHz and for tones up to 5 kHz, false tones caused by sampling (aliases) are at least 60 dB softer than the
/// fundamental. For lower tones, the aliases are even softer. The highest harmonics, from 0.38 of the sample rate on,
/// are attenuated. The output is 12 samples late, and overshoots ±1 by a tenth around its jumps.
///
/// - Thread: one owner; the audio thread during play.
/// - Real-time safe: `tick`, yes.
@frozen
public struct Square: Oscillator {
  /// The frequency in Hz, clamped to 0 … half the sample rate during play; NaN counts as 0.
  public var frequency: Double
  /// The fraction of the cycle in which the output is 1, clamped to 0.01 … 0.99.
  ///
  /// The mean of the output is 2 · width − 1, so it is 0 only for a width of 0.5.
  public var width: Double
  /// The position in the cycle, 0 ..< 1: the waveform is 1 from 0 to `width`, then −1.
  public var phase = 0.0
  @usableFromInline var step: PhaseStep
  @usableFromInline var limit = BandLimit()
  @usableFromInline var isHigh = true

  /// Creates an oscillator at the start of its cycle, at which the waveform changes to 1.
  public init(frequency: Double = 440, width: Double = 0.5, sampleRate: Double = 48_000) {
    self.frequency = frequency
    self.width = width
    step = PhaseStep(sampleRate: sampleRate)
  }

  /// Adapts the oscillator to a sample rate and resets it to the start of its cycle.
  public mutating func prepare(sampleRate: Double) {
    self = Square(frequency: frequency, width: width, sampleRate: sampleRate)
  }

  /// Returns the next sample.
  @inlinable
  public mutating func tick() -> Float {
    let (step, width) = (step(frequency), max(0.01, min(width, 0.99)))
    phase += step
    if isHigh && phase >= width { fall(late: (phase - width) / step) }
    if phase >= 1 {
      phase -= 1
      if !isHigh { limit.jump(by: 2, late: phase / step) }
      isHigh = true
      if phase >= width { fall(late: (phase - width) / step) }
    }
    return limit.next(isHigh ? 1 : -1)
  }

  @inlinable
  mutating func fall(late: Double) {
    limit.jump(by: -2, late: late)
    isHigh = false
  }
}
