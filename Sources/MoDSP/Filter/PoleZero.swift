/// A filter with one pole and one zero: an all-pass that only shifts the phase, or a DC blocker.
///
/// By default, sound passes unchanged.
///
/// y[n] = b0·x[n] + b1·x[n−1] − a1·y[n−1]
///
/// - Source: J. O. Smith, *Introduction to Digital Filters* (2007), app. B.
/// - Thread: one owner; the audio thread during play.
/// - Real-time safe: yes.
@frozen
public struct PoleZero: FeedbackFilter {
  /// The coefficient of x[n], the present input sample.
  public var b0 = 1.0
  /// The coefficient of x[n−1], the input one sample ago.
  public var b1 = 0.0
  /// The coefficient of y[n−1], the output one sample ago; the product is subtracted.
  public var a1 = 0.0
  /// The gain that is applied to the input before the filter.
  public var gain = 1.0
  @usableFromInline var x1 = 0.0
  @usableFromInline var y1 = 0.0

  /// Creates a filter at rest that passes sound unchanged until you change its coefficients.
  @inlinable
  public init() {}

  /// Makes the filter an all-pass, which keeps the level of every frequency and shifts the phase.
  ///
  /// - Parameter coefficient: near −1, the filter shifts the phase even at low frequencies; near 1, only at the highest
  ///   frequencies. The coefficient is clamped to ±0.999999; NaN counts as −0.999999.
  @inlinable
  public mutating func setAllpass(_ coefficient: Double) {
    b0 = FilterLimits.pole(coefficient)
    (b1, a1) = (1, b0)
  }

  /// Makes the filter an all-pass, from a coefficient that is a `Float`.
  @inlinable @_disfavoredOverload
  public mutating func setAllpass(_ coefficient: Float) { setAllpass(Double(coefficient)) }

  /// Makes the filter a DC blocker, which silences 0 Hz and passes frequencies well above 0 Hz.
  ///
  /// - Parameter pole: the position of the pole on the real axis: the nearer to 1, the lower are the frequencies that
  ///   pass. The pole is clamped to ±0.999999; NaN counts as −0.999999.
  @inlinable
  public mutating func setBlockZero(_ pole: Double = 0.99) {
    (b0, b1) = (1, -1)
    a1 = -FilterLimits.pole(pole)
  }

  /// Makes the filter a DC blocker, from a pole that is a `Float`.
  @inlinable @_disfavoredOverload
  public mutating func setBlockZero(_ pole: Float) { setBlockZero(Double(pole)) }

  /// Sets the coefficients, and clears the past sound if `clear` is true; NaN and infinity count as 0.
  @inlinable
  public mutating func setCoefficients(b0: Double, b1: Double, a1: Double, clear: Bool = false) {
    (self.b0, self.b1) = (FilterLimits.finite(b0), FilterLimits.finite(b1))
    self.a1 = FilterLimits.finite(a1)
    if clear { self.clear() }
  }

  /// The coefficients of the difference equation, without `gain`.
  @inlinable
  public var coefficients: FilterCoefficients { FilterCoefficients(b0: b0, b1: b1, a1: a1) }

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
    let x0 = gain * Double(input)
    y1 = b0 * x0 + b1 * x1 - a1 * y1
    x1 = x0
    return Float(y1)
  }

  @inlinable
  mutating func clearIfSilent() { y1 = FilterLimits.clearIfSilent(y1, 0).newer }

  @usableFromInline static var order: (zeros: Int32, poles: Int32) { (1, 1) }

  @usableFromInline var memory: FilterMemory {
    get { (x1, 0, y1, 0) }
    set { (x1, y1) = (newValue.x1, newValue.y1) }
  }

  /// Clears the past sound; the coefficients stay.
  @inlinable
  public mutating func clear() { (x1, y1) = (0, 0) }
}
