import Glibc

/// A filter with two poles: a resonance at one frequency.
///
/// By default, sound passes unchanged.
///
/// y[n] = b0·x[n] − a1·y[n−1] − a2·y[n−2]
///
/// - Source: J. O. Smith, *Introduction to Digital Filters* (2007), app. B.
/// - Thread: one owner; the audio thread during play.
/// - Real-time safe: yes.
@frozen
public struct TwoPole: FeedbackFilter {
  /// The coefficient of x[n], the present input sample.
  public var b0 = 1.0
  /// The coefficient of y[n−1], the output one sample ago; the product is subtracted.
  public var a1 = 0.0
  /// The coefficient of y[n−2], the output two samples ago; the product is subtracted.
  public var a2 = 0.0
  /// The gain that is applied to the input before the filter.
  public var gain = 1.0
  @usableFromInline var y1 = 0.0
  @usableFromInline var y2 = 0.0

  /// Creates a filter at rest that passes sound unchanged until you change its coefficients.
  @inlinable
  public init() {}

  /// Makes the filter resonate at a frequency, by a pair of poles.
  ///
  /// - Parameters:
  ///   - frequency: in Hz, clamped to 1e-6 … 0.4999 of the sample rate.
  ///   - radius: the distance of the poles from 0 in the complex plane. The nearer the distance is to 1, the longer the
  ///     filter rings, in a narrower band. The radius is clamped to 0 … 0.999999; NaN counts as 0.
  ///   - normalize: whether to set `b0` for a gain of 1 at the frequency; otherwise `b0` stays.
  ///   - sampleRate: samples per second.
  public mutating func setResonance(
    frequency: Double, radius: Double, normalize: Bool = false, sampleRate: Double
  ) {
    let radius = FilterLimits.radius(radius)
    let angle = 2 * .pi * FilterLimits.turn(frequency, sampleRate)
    (a1, a2) = (-2 * radius * cos(angle), radius * radius)
    // The product of the distances from that point of the unit circle to both poles.
    if normalize { b0 = (1 - radius) * (1 - 2 * radius * cos(2 * angle) + a2).squareRoot() }
  }

  /// Makes the filter resonate at a frequency, from `Float` values.
  @inlinable @_disfavoredOverload
  public mutating func setResonance(
    frequency: Float, radius: Float, normalize: Bool = false, sampleRate: Double
  ) {
    setResonance(
      frequency: Double(frequency), radius: Double(radius), normalize: normalize, sampleRate: sampleRate)
  }

  /// Sets the coefficients, and clears the past sound if `clear` is true; NaN and infinity count as 0.
  @inlinable
  public mutating func setCoefficients(b0: Double, a1: Double, a2: Double, clear: Bool = false) {
    self.b0 = FilterLimits.finite(b0)
    (self.a1, self.a2) = (FilterLimits.finite(a1), FilterLimits.finite(a2))
    if clear { self.clear() }
  }

  /// The coefficients of the difference equation, without `gain`.
  @inlinable
  public var coefficients: FilterCoefficients { FilterCoefficients(b0: b0, a1: a1, a2: a2) }

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
    let y0 = b0 * (gain * Double(input)) - a2 * y2 - a1 * y1
    (y2, y1) = (y1, y0)
    return Float(y0)
  }

  @inlinable
  mutating func clearIfSilent() { (y1, y2) = FilterLimits.clearIfSilent(y1, y2) }

  @usableFromInline static var order: (zeros: Int32, poles: Int32) { (0, 2) }

  @usableFromInline var memory: FilterMemory {
    get { (0, 0, y1, y2) }
    set { (y1, y2) = (newValue.y1, newValue.y2) }
  }

  /// Clears the past sound; the coefficients stay.
  @inlinable
  public mutating func clear() { (y1, y2) = (0, 0) }
}
