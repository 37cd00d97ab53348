/// A filter with one zero: a low-pass or high-pass with a gentle slope.
///
/// y[n] = b0·x[n] + b1·x[n−1]
///
/// - Source: J. O. Smith, *Introduction to Digital Filters* (2007), app. B.
/// - Thread: one owner; the audio thread during play.
/// - Real-time safe: yes.
@frozen
public struct OneZero: MoFilter {
  /// The coefficient of x[n], the present input sample.
  public var b0 = 0.5
  /// The coefficient of x[n−1], the input one sample ago.
  public var b1 = 0.5
  /// The gain that is applied to the input before the filter.
  public var gain = 1.0
  @usableFromInline var x1 = 0.0
  @usableFromInline var y0 = 0.0

  /// Creates a filter at rest with the coefficients that `setZero` computes; the default is a low-pass.
  @inlinable
  public init(zero: Double = -1) { setZero(zero) }

  /// Makes the filter a low-pass if `zero` is below 0, or a high-pass if it is above 0, with a peak gain of 1.
  ///
  /// - Parameter zero: the position of the zero on the real axis: −1 silences half the sample rate, 1 silences 0 Hz.
  ///   NaN and infinity count as 0.
  @inlinable
  public mutating func setZero(_ zero: Double) {
    let zero = FilterLimits.finite(zero)
    b0 = 1 / (1 + abs(zero))
    b1 = -zero * b0
  }

  /// Makes the filter a low-pass or high-pass, from a zero that is a `Float`.
  @inlinable @_disfavoredOverload
  public mutating func setZero(_ zero: Float) { setZero(Double(zero)) }

  /// Sets the coefficients, and clears the past sound if `clear` is true; NaN and infinity count as 0.
  @inlinable
  public mutating func setCoefficients(b0: Double, b1: Double, clear: Bool = false) {
    (self.b0, self.b1) = (FilterLimits.finite(b0), FilterLimits.finite(b1))
    if clear { self.clear() }
  }

  /// The coefficients of the difference equation, without `gain`.
  @inlinable
  public var coefficients: FilterCoefficients { FilterCoefficients(b0: b0, b1: b1) }

  /// The most recent output sample; 0 at first, and after `clear`.
  @inlinable
  public var lastOut: Float { Float(y0) }

  /// Returns the output for one input sample.
  @inlinable
  public mutating func tick(_ input: Float) -> Float {
    let x0 = gain * Double(input)
    y0 = b0 * x0 + b1 * x1
    x1 = x0
    return Float(y0)
  }

  /// Clears the past sound; the coefficients stay.
  @inlinable
  public mutating func clear() { (x1, y0) = (0, 0) }
}
