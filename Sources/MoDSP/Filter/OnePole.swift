import Glibc

/// A filter with one pole: a low-pass or high-pass of 6 dB per octave; it also smooths the readings of sensors.
///
/// y[n] = b0·x[n] − a1·y[n−1]
///
/// - Source: J. O. Smith, *Introduction to Digital Filters* (2007), app. B.
/// - Thread: one owner; the audio thread during play.
/// - Real-time safe: yes.
@frozen
public struct OnePole: FeedbackFilter {
  /// The coefficient of x[n], the present input sample.
  public var b0 = 0.1
  /// The coefficient of y[n−1], the output one sample ago; the product is subtracted.
  public var a1 = -0.9
  /// The gain that is applied to the input before the filter.
  public var gain = 1.0
  @usableFromInline var y1 = 0.0

  /// Creates a filter at rest with the coefficients that `setPole` computes; the default is a low-pass.
  @inlinable
  public init(pole: Double = 0.9) { setPole(pole) }

  /// Creates a low-pass at rest whose output covers 63 % of a jump of the input in the given time.
  ///
  /// See `setTime` for the limits of the arguments.
  public init(seconds: Double, sampleRate: Double) { setTime(seconds, sampleRate: sampleRate) }

  /// Makes the filter a low-pass if `pole` is above 0, or a high-pass if it is below 0, with a peak gain of 1.
  ///
  /// - Parameter pole: the position of the pole on the real axis: the nearer to ±1, the more the filter attenuates. The
  ///   pole is clamped to ±0.999999; NaN counts as −0.999999.
  @inlinable
  public mutating func setPole(_ pole: Double) {
    let pole = FilterLimits.pole(pole)
    b0 = 1 - abs(pole)
    a1 = -pole
  }

  /// Makes the filter a low-pass or high-pass, from a pole that is a `Float`.
  @inlinable @_disfavoredOverload
  public mutating func setPole(_ pole: Float) { setPole(Double(pole)) }

  /// Makes the filter a low-pass whose output covers 63 % of a jump of the input in the given time.
  ///
  /// The gain is −3 dB at 1 / (2π · seconds) Hz.
  ///
  /// - Parameters:
  ///   - seconds: the time; with 0 or below, or NaN, the output equals the input.
  ///   - sampleRate: frames per second.
  public mutating func setTime(_ seconds: Double, sampleRate: Double) {
    setPole(seconds > 0 ? exp(-1 / (seconds * sampleRate)) : 0)
  }

  /// Makes the filter a low-pass, from a time that is a `Float`.
  @inlinable @_disfavoredOverload
  public mutating func setTime(_ seconds: Float, sampleRate: Double) {
    setTime(Double(seconds), sampleRate: sampleRate)
  }

  /// Sets the coefficients, and clears the past sound if `clear` is true; NaN and infinity count as 0.
  @inlinable
  public mutating func setCoefficients(b0: Double, a1: Double, clear: Bool = false) {
    self.b0 = FilterLimits.finite(b0)
    self.a1 = FilterLimits.finite(a1)
    if clear { self.clear() }
  }

  /// The coefficients of the difference equation, without `gain`.
  @inlinable
  public var coefficients: FilterCoefficients { FilterCoefficients(b0: b0, a1: a1) }

  /// The most recent output sample; 0 at first, and after `clear`.
  @inlinable
  public var lastOut: Float { Float(y1) }

  /// Returns the output for one input sample.
  @inlinable
  public mutating func tick(_ input: Float) -> Float { guardedStep(input) }

  /// Filters a block in place, with the same result as `tick` on each sample, but faster.
  public mutating func process(_ samples: inout MutableSpan<Float>) { guardedProcess(&samples) }

  @inlinable @inline(__always)
  mutating func step(_ input: Float) -> Float {
    y1 = b0 * (gain * Double(input)) - a1 * y1
    return Float(y1)
  }

  @inlinable
  mutating func clearIfSilent() { y1 = FilterLimits.clearIfSilent(y1, 0).newer }

  @usableFromInline static var order: (zeros: Int32, poles: Int32) { (0, 1) }

  @usableFromInline var memory: FilterMemory {
    get { (0, 0, y1, 0) }
    set { y1 = newValue.y1 }
  }

  /// Clears the past sound; the coefficients stay.
  @inlinable
  public mutating func clear() { y1 = 0 }
}
