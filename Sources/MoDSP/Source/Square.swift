/// A square wave between 1 and −1, or a pulse of another width: of the square, every odd harmonic, the nth as 1/n.
///
/// Its aliases are below −60 dB to 5 kHz at 48 kHz, softer the lower it is; the highest harmonics fade from 0.38 of
/// the sample rate on. It is heard 12 samples late, and overshoots ±1 by a tenth around its jumps.
///
/// - Thread: one owner; the audio thread once playing.
/// - Real-time safe: `tick`, yes.
@frozen
public struct Square: Oscillator {
  /// In Hz, kept within 0 … half the sample rate when it sounds; no number counts as 0.
  public var frequency: Double
  /// The part of the cycle at 1, kept within 0.01 … 0.99; but for 0.5 the pulse has a mean of 2 · width − 1.
  public var width: Double
  /// Where in its cycle it is, 0 ..< 1.
  public var phase = 0.0
  @usableFromInline var step: PhaseStep
  @usableFromInline var limit = BandLimit()
  @usableFromInline var isHigh = true

  /// An oscillator at the beginning of its cycle, going up.
  public init(frequency: Double = 440, width: Double = 0.5, sampleRate: Double = 48_000) {
    self.frequency = frequency
    self.width = width
    step = PhaseStep(sampleRate: sampleRate)
  }

  /// Fits it to a sample rate, at the beginning of its cycle.
  public mutating func prepare(sampleRate: Double) {
    self = Square(frequency: frequency, width: width, sampleRate: sampleRate)
  }

  /// The next sample.
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
