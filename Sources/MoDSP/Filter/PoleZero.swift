/// One pole and one zero: an all-pass that only turns the phase, or a blocker of DC.
///
/// Sound passes unchanged until something is set.
///
/// y[n] = b0·x[n] + b1·x[n−1] − a1·y[n−1]
///
/// - Source: J. O. Smith, *Introduction to Digital Filters* (2007), app. B.
/// - Thread: one owner; the audio thread once playing.
/// - Real-time safe: yes.
@frozen
public struct PoleZero: FeedbackFilter {
  /// What the input counts.
  public var b0 = 1.0
  /// What the input of one sample ago counts.
  public var b1 = 0.0
  /// What the output of one sample ago counts, subtracted.
  public var a1 = 0.0
  /// What the input is multiplied by.
  public var gain = 1.0
  @usableFromInline var x1 = 0.0
  @usableFromInline var y1 = 0.0

  /// A filter at rest that changes nothing.
  @inlinable
  public init() {}

  /// Makes it an all-pass: every frequency as loud as before, its phase turned.
  ///
  /// - Parameter coefficient: kept within ±0.999999; no number counts as the lowest.
  @inlinable
  public mutating func setAllpass(_ coefficient: Double) {
    b0 = FilterLimits.pole(coefficient)
    (b1, a1) = (1, b0)
  }

  /// Makes it a blocker of DC: 0 Hz is silenced, what lies well above it passes.
  ///
  /// - Parameter pole: the nearer to 1, the lower it reaches; kept within ±0.999999, no number counts as the lowest.
  @inlinable
  public mutating func setBlockZero(_ pole: Double = 0.99) {
    (b0, b1) = (1, -1)
    a1 = -FilterLimits.pole(pole)
  }

  /// Sets the coefficients as they are; no finite number counts as 0.
  @inlinable
  public mutating func setCoefficients(b0: Double, b1: Double, a1: Double, clear: Bool = false) {
    (self.b0, self.b1) = (FilterLimits.finite(b0), FilterLimits.finite(b1))
    self.a1 = FilterLimits.finite(a1)
    if clear { self.clear() }
  }

  /// The difference equation, without `gain`.
  @inlinable
  public var coefficients: FilterCoefficients { FilterCoefficients(b0: b0, b1: b1, a1: a1) }

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
    let x0 = gain * Double(input)
    y1 = b0 * x0 + b1 * x1 - a1 * y1
    x1 = x0
    return Float(y1)
  }

  @inlinable
  mutating func settle() { y1 = FilterLimits.settle(y1, 0).newer }

  @usableFromInline static var order: (zeros: Int32, poles: Int32) { (1, 1) }

  @usableFromInline var memory: FilterMemory {
    get { (x1, 0, y1, 0) }
    set { (x1, y1) = (newValue.x1, newValue.y1) }
  }

  /// Forgets the sound so far; the coefficients stay.
  @inlinable
  public mutating func clear() { (x1, y1) = (0, 0) }
}
