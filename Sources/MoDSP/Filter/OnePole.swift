import Glibc

/// One pole: a low-pass of 6 dB an octave, or a high-pass; also what smooths a sensor.
///
/// y[n] = b0·x[n] − a1·y[n−1]
///
/// - Source: J. O. Smith, *Introduction to Digital Filters* (2007), app. B.
/// - Thread: one owner; the audio thread once playing.
/// - Real-time safe: yes.
@frozen
public struct OnePole: FeedbackFilter {
  /// What the input counts.
  public var b0 = 0.1
  /// What the output of one sample ago counts, subtracted.
  public var a1 = -0.9
  /// What the input is multiplied by.
  public var gain = 1.0
  @usableFromInline var y1 = 0.0

  /// A filter at rest; see `setPole`.
  @inlinable
  public init(pole: Double = 0.9) { setPole(pole) }

  /// A low-pass at rest that follows a step by 63 % in so many seconds; see `setTime`.
  public init(seconds: Double, sampleRate: Double) { setTime(seconds, sampleRate: sampleRate) }

  /// Places the pole on the real axis, with a peak gain of 1: above 0 a low-pass, below 0 a high-pass.
  ///
  /// - Parameter pole: kept within ±0.999999; no number counts as the lowest.
  @inlinable
  public mutating func setPole(_ pole: Double) {
    let pole = FilterLimits.pole(pole)
    b0 = 1 - abs(pole)
    a1 = -pole
  }

  /// Makes it a low-pass that follows a step by 63 % in so many seconds: −3 dB at 1 / (2π · seconds) Hz.
  ///
  /// - Parameter seconds: at 0 or below, or no number, the output is the input.
  public mutating func setTime(_ seconds: Double, sampleRate: Double) {
    setPole(seconds > 0 ? exp(-1 / (seconds * sampleRate)) : 0)
  }

  /// Sets the coefficients as they are; no finite number counts as 0.
  @inlinable
  public mutating func setCoefficients(b0: Double, a1: Double, clear: Bool = false) {
    self.b0 = FilterLimits.finite(b0)
    self.a1 = FilterLimits.finite(a1)
    if clear { self.clear() }
  }

  /// The difference equation, without `gain`.
  @inlinable
  public var coefficients: FilterCoefficients { FilterCoefficients(b0: b0, a1: a1) }

  /// The last output.
  @inlinable
  public var lastOut: Float { Float(y1) }

  /// Filters one sample.
  @inlinable
  public mutating func tick(_ input: Float) -> Float { guardedStep(input) }

  /// Filters a block in place; the same as `tick` on each of its samples, and quicker.
  public mutating func process(_ samples: inout MutableSpan<Float>) { guardedProcess(&samples) }

  @inlinable @inline(__always)
  mutating func step(_ input: Float) -> Float {
    y1 = b0 * (gain * Double(input)) - a1 * y1
    return Float(y1)
  }

  @inlinable
  mutating func settle() { y1 = FilterLimits.settle(y1, 0).newer }

  @usableFromInline static var order: (zeros: Int32, poles: Int32) { (0, 1) }

  @usableFromInline var memory: FilterMemory {
    get { (0, 0, y1, 0) }
    set { y1 = newValue.y1 }
  }

  /// Forgets the sound so far; the coefficients stay.
  @inlinable
  public mutating func clear() { y1 = 0 }
}
