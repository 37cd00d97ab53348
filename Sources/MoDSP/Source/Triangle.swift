/// A triangle between −1 and 1: every odd harmonic, the nth as 1/n².
///
/// Its aliases are below −60 dB to 5 kHz at 48 kHz, softer the lower it is; the highest harmonics fade from 0.38 of
/// the sample rate on. It is heard 12 samples late.
///
/// - Thread: one owner; the audio thread once playing.
/// - Real-time safe: `tick`, yes.
@frozen
public struct Triangle: Oscillator {
  /// In Hz, kept within 0 … half the sample rate when it sounds; no number counts as 0.
  public var frequency: Double
  /// Where in its cycle it is, 0 ..< 1: at 0 and 0.5 it is 0, at 0.25 it is 1.
  public var phase = 0.0
  @usableFromInline var step: PhaseStep
  @usableFromInline var limit = BandLimit()

  /// An oscillator at the beginning of its cycle, rising from 0.
  public init(frequency: Double = 440, sampleRate: Double = 48_000) {
    self.frequency = frequency
    step = PhaseStep(sampleRate: sampleRate)
  }

  /// Fits it to a sample rate, at the beginning of its cycle.
  public mutating func prepare(sampleRate: Double) {
    self = Triangle(frequency: frequency, sampleRate: sampleRate)
  }

  /// The next sample.
  @inlinable
  public mutating func tick() -> Float {
    let step = step(frequency)
    let before = phase
    phase += step
    // A step is half a cycle at most, so it passes each corner at most once.
    if before < 0.25 && phase >= 0.25 { limit.turn(by: -8 * step, late: (phase - 0.25) / step) }
    if before < 0.75 && phase >= 0.75 { limit.turn(by: 8 * step, late: (phase - 0.75) / step) }
    if phase >= 1.25 { limit.turn(by: -8 * step, late: (phase - 1.25) / step) }
    if phase >= 1 { phase -= 1 }
    return limit.next(4 * abs(abs(phase - 0.25) - 0.5) - 1)
  }
}
