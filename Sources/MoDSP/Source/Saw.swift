/// A sawtooth that rises from −1 to 1 and falls at once: every harmonic, the nth as 1/n.
///
/// Its aliases are below −60 dB to 5 kHz at 48 kHz, softer the lower it is; the highest harmonics fade from 0.38 of
/// the sample rate on. It is heard 12 samples late, and overshoots ±1 by a tenth around its jumps.
///
/// - Thread: one owner; the audio thread once playing.
/// - Real-time safe: `tick`, yes.
@frozen
public struct Saw: Oscillator {
  /// In Hz, kept within 0 … half the sample rate when it sounds; no number counts as 0.
  public var frequency: Double
  /// Where in its cycle it is, 0 ..< 1.
  public var phase = 0.5
  @usableFromInline var step: PhaseStep
  @usableFromInline var limit = BandLimit()

  /// An oscillator in the middle of its rise, at 0.
  public init(frequency: Double = 440, sampleRate: Double = 48_000) {
    self.frequency = frequency
    step = PhaseStep(sampleRate: sampleRate)
  }

  /// Fits it to a sample rate, in the middle of its rise.
  public mutating func prepare(sampleRate: Double) {
    self = Saw(frequency: frequency, sampleRate: sampleRate)
  }

  /// The next sample.
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
