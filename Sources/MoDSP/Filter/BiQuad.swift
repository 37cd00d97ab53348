import Glibc

/// A filter with two poles and two zeros: any filter of second order, such as `.lowPass` or `.peak`.
///
/// By default, sound passes unchanged.
///
/// y[n] = b0·x[n] + b1·x[n−1] + b2·x[n−2] − a1·y[n−1] − a2·y[n−2]
///
/// - Source: J. O. Smith, *Introduction to Digital Filters* (2007), app. B.
/// - Thread: one owner; the audio thread during play.
/// - Real-time safe: yes.
@frozen
public struct BiQuad: FeedbackFilter {
  /// The coefficient of x[n], the present input sample.
  public var b0 = 1.0
  /// The coefficient of x[n−1], the input one sample ago.
  public var b1 = 0.0
  /// The coefficient of x[n−2], the input two samples ago.
  public var b2 = 0.0
  /// The coefficient of y[n−1], the output one sample ago; the product is subtracted.
  public var a1 = 0.0
  /// The coefficient of y[n−2], the output two samples ago; the product is subtracted.
  public var a2 = 0.0
  /// The gain that is applied to the input before the filter.
  public var gain = 1.0
  @usableFromInline var x1 = 0.0
  @usableFromInline var x2 = 0.0
  @usableFromInline var y1 = 0.0
  @usableFromInline var y2 = 0.0

  /// Creates a filter at rest, such as `BiQuad(.lowPass(frequency: 800, q: 2, sampleRate: 48_000))`.
  @inlinable
  public init(_ coefficients: FilterCoefficients = FilterCoefficients()) { self.coefficients = coefficients }

  /// Makes the filter resonate at a frequency, by a pair of poles.
  ///
  /// - Parameters:
  ///   - frequency: in Hz, clamped to 1e-6 … 0.4999 of the sample rate.
  ///   - radius: the distance of the poles from 0 in the complex plane. The nearer the distance is to 1, the longer the
  ///     filter rings, in a narrower band. The radius is clamped to 0 … 0.999999; NaN counts as 0.
  ///   - normalize: whether to silence 0 Hz and half the sample rate, and to make the peak gain 1; otherwise
  ///     `b0`, `b1` and `b2` stay.
  ///   - sampleRate: samples per second.
  public mutating func setResonance(
    frequency: Double, radius: Double, normalize: Bool = false, sampleRate: Double
  ) {
    let radius = FilterLimits.radius(radius)
    (a1, a2) = (-2 * radius * cos(2 * .pi * FilterLimits.turn(frequency, sampleRate)), radius * radius)
    // K. Steiglitz, A note on constant-gain digital resonators, CMJ 18(4) (1994).
    if normalize { (b0, b1, b2) = ((1 - a2) / 2, 0, (a2 - 1) / 2) }
  }

  /// Makes the filter resonate at a frequency, from `Float` values.
  @inlinable @_disfavoredOverload
  public mutating func setResonance(
    frequency: Float, radius: Float, normalize: Bool = false, sampleRate: Double
  ) {
    setResonance(
      frequency: Double(frequency), radius: Double(radius), normalize: normalize, sampleRate: sampleRate)
  }

  /// Replaces the zeros by a pair that attenuates or silences a frequency; `b0` and `gain` stay.
  ///
  /// - Parameters:
  ///   - frequency: in Hz, clamped to 1e-6 … 0.4999 of the sample rate.
  ///   - radius: the distance of the zeros from 0 in the complex plane. A radius of 1 silences the frequency; a smaller
  ///     radius attenuates the frequency. Negative values, NaN and infinity count as 0.
  ///   - sampleRate: samples per second.
  public mutating func setNotch(frequency: Double, radius: Double, sampleRate: Double) {
    let radius = max(0, FilterLimits.finite(radius))
    let middle = -2 * radius * cos(2 * .pi * FilterLimits.turn(frequency, sampleRate))
    (b1, b2) = (middle * b0, radius * radius * b0)
  }

  /// Attenuates or silences a frequency, from `Float` values.
  @inlinable @_disfavoredOverload
  public mutating func setNotch(frequency: Float, radius: Float, sampleRate: Double) {
    setNotch(frequency: Double(frequency), radius: Double(radius), sampleRate: sampleRate)
  }

  /// Puts zeros at 0 Hz and at half the sample rate, so that resonances are about equally loud at every frequency.
  ///
  /// The coefficients `b0`, `b1` and `b2` become 1, 0 and −1.
  @inlinable
  public mutating func setEqualGainZeroes() { (b0, b1, b2) = (1, 0, -1) }

  /// Sets the coefficients, and clears the past sound if `clear` is true; NaN and infinity count as 0.
  @inlinable
  public mutating func setCoefficients(
    b0: Double, b1: Double, b2: Double, a1: Double, a2: Double, clear: Bool = false
  ) {
    (self.b0, self.b1, self.b2) = (FilterLimits.finite(b0), FilterLimits.finite(b1), FilterLimits.finite(b2))
    (self.a1, self.a2) = (FilterLimits.finite(a1), FilterLimits.finite(a2))
    if clear { self.clear() }
  }

  /// The coefficients of the difference equation, without `gain`; a change does not interrupt the sound.
  @inlinable
  public var coefficients: FilterCoefficients {
    get { FilterCoefficients(b0: b0, b1: b1, b2: b2, a1: a1, a2: a2) }
    set {
      setCoefficients(b0: newValue.b0, b1: newValue.b1, b2: newValue.b2, a1: newValue.a1, a2: newValue.a2)
    }
  }

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
    // The newest output comes last, so that the loop waits for only one product and one sum.
    let y0 = b0 * x0 + b1 * x1 + b2 * x2 - a2 * y2 - a1 * y1
    (x2, x1) = (x1, x0)
    (y2, y1) = (y1, y0)
    return Float(y0)
  }

  @inlinable
  mutating func clearIfSilent() { (y1, y2) = FilterLimits.clearIfSilent(y1, y2) }

  @usableFromInline static var order: (zeros: Int32, poles: Int32) { (2, 2) }

  @usableFromInline var memory: FilterMemory {
    get { (x1, x2, y1, y2) }
    set { (x1, x2, y1, y2) = newValue }
  }

  /// Clears the past sound; the coefficients stay.
  @inlinable
  public mutating func clear() { (x1, x2, y1, y2) = (0, 0, 0, 0) }
}
