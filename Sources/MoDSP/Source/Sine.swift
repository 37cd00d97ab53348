/// A sine from −1 to 1, its overtones below −180 dB before it is rounded to a `Float`.
///
/// - Thread: one owner; the audio thread once playing.
/// - Real-time safe: `tick`, yes.
@frozen
public struct Sine: Oscillator {
  /// In Hz, kept within 0 … half the sample rate when it sounds; no number counts as 0.
  public var frequency: Double
  /// Where in its cycle it is, 0 ..< 1.
  public var phase = 0.0
  @usableFromInline var step: PhaseStep

  /// An oscillator at the beginning of its cycle.
  public init(frequency: Double = 440, sampleRate: Double = 48_000) {
    self.frequency = frequency
    step = PhaseStep(sampleRate: sampleRate)
  }

  /// Fits it to a sample rate, at the beginning of its cycle.
  public mutating func prepare(sampleRate: Double) {
    self = Sine(frequency: frequency, sampleRate: sampleRate)
  }

  /// The next sample.
  @inlinable
  public mutating func tick() -> Float {
    let output = Self.value(phase)
    phase += step(frequency)
    if phase >= 1 { phase -= 1 }
    return Float(output)
  }

  /// The next sample, its phase shifted by so many turns: what frequency modulation (FM) in synthesisers does.
  ///
  /// - Parameter turns: any number; no finite number, or one beyond ±1e9, counts as 0.
  @inlinable
  public mutating func tick(shiftedBy turns: Float) -> Float {
    let shifted = abs(turns) < 1e9 ? phase + Double(turns) : phase
    phase += step(frequency)
    if phase >= 1 { phase -= 1 }
    return Float(Self.value(shifted - shifted.rounded(.down)))
  }

  /// The sine of 0 … 1 turns, to 3e-10.
  ///
  /// Each half-cycle is a polynomial of the parabola through its ends, by the least largest error.
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
