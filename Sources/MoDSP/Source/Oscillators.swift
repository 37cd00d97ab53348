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
