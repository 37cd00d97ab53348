/// A sine from −1 to 1; its overtones are below −180 dB before the output is rounded to a `Float`.
///
/// - Thread: one owner; the audio thread during play.
/// - Real-time safe: `tick`, yes.
@frozen
public struct Sine: Oscillator {
  /// The frequency in Hz, clamped to 0 … half the sample rate during play; NaN counts as 0.
  public var frequency: Double
  /// The position in the cycle, 0 ..< 1: the sine is 0 at 0 and 0.5, and 1 at 0.25.
  public var phase = 0.0
  @usableFromInline var step: PhaseStep

  /// Creates an oscillator at the start of its cycle.
  public init(frequency: Double = 440, sampleRate: Double = 48_000) {
    self.frequency = frequency
    step = PhaseStep(sampleRate: sampleRate)
  }

  /// Adapts the oscillator to a sample rate and resets it to the start of its cycle.
  public mutating func prepare(sampleRate: Double) {
    self = Sine(frequency: frequency, sampleRate: sampleRate)
  }

  /// Returns the next sample.
  @inlinable
  public mutating func tick() -> Float {
    let output = Self.value(phase)
    phase += step(frequency)
    if phase >= 1 { phase -= 1 }
    return Float(output)
  }

  /// Returns the next sample with its phase shifted, as in the frequency modulation (FM) of synthesisers.
  ///
  /// - Parameter turns: the shift in cycles; NaN, infinity and values beyond ±1e9 count as 0.
  @inlinable
  public mutating func tick(shiftedBy turns: Float) -> Float {
    let shifted = abs(turns) < 1e9 ? phase + Double(turns) : phase
    phase += step(frequency)
    if phase >= 1 { phase -= 1 }
    return Float(Self.value(shifted - shifted.rounded(.down)))
  }

  /// Returns the sine of an angle of 0 … 1 turns, with an error of at most 3e-10.
  ///
  /// Each half-cycle is a polynomial in a parabola that is 0 at both ends of the half-cycle. The coefficients make the
  /// largest error as small as possible.
  @inlinable
  static func value(_ turns: Double) -> Double {
    let half = 0.5 - turns
    let parabola = abs(half) * (0.5 - abs(half))
    let even = 12.566370791181498 + parabola * (50.265442455768465 + parabola * 71.3931785300217)
    let more = 52.34123468457435 + parabola * 24.957816837270382
    let size = parabola * (even + parabola * parabola * parabola * more)
    return half < 0 ? -size : size
  }
}
