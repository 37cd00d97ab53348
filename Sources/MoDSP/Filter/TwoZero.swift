import Glibc

/// A filter with two zeros: a notch at one frequency.
///
/// By default, sound passes unchanged.
///
/// y[n] = b0·x[n] + b1·x[n−1] + b2·x[n−2]
///
/// - Source: J. O. Smith, *Introduction to Digital Filters* (2007), app. B.
/// - Thread: one owner; the audio thread during play.
/// - Real-time safe: yes.
@frozen
public struct TwoZero: MoFilter {
  /// The coefficient of x[n], the present input sample.
  public var b0 = 1.0
  /// The coefficient of x[n−1], the input one sample ago.
  public var b1 = 0.0
  /// The coefficient of x[n−2], the input two samples ago.
  public var b2 = 0.0
  /// The gain that is applied to the input before the filter.
  public var gain = 1.0
  @usableFromInline var x1 = 0.0
  @usableFromInline var x2 = 0.0
  @usableFromInline var y0 = 0.0

  /// Creates a filter at rest that passes sound unchanged until you change its coefficients.
  @inlinable
  public init() {}

  /// Replaces the zeros by a pair that attenuates or silences a frequency, and makes the peak gain 1.
  ///
  /// - Parameters:
  ///   - frequency: in Hz, clamped to 1e-6 … 0.4999 of the sample rate.
  ///   - radius: the distance of the zeros from 0 in the complex plane. A radius of 1 silences the frequency; a smaller
  ///     radius attenuates the frequency. Negative values, NaN and infinity count as 0.
  ///   - sampleRate: samples per second.
  public mutating func setNotch(frequency: Double, radius: Double, sampleRate: Double) {
    let radius = max(0, FilterLimits.finite(radius))
    let middle = -2 * radius * cos(2 * .pi * FilterLimits.turn(frequency, sampleRate))
    // The gain is largest at the end farther from the zeros: at 0 Hz, or at half the sample rate.
    b0 = 1 / (1 + abs(middle) + radius * radius)
    (b1, b2) = (middle * b0, radius * radius * b0)
  }

  /// Attenuates or silences a frequency, from `Float` values.
  @inlinable @_disfavoredOverload
  public mutating func setNotch(frequency: Float, radius: Float, sampleRate: Double) {
    setNotch(frequency: Double(frequency), radius: Double(radius), sampleRate: sampleRate)
  }

  /// Sets the coefficients, and clears the past sound if `clear` is true; NaN and infinity count as 0.
  @inlinable
  public mutating func setCoefficients(b0: Double, b1: Double, b2: Double, clear: Bool = false) {
    (self.b0, self.b1, self.b2) = (FilterLimits.finite(b0), FilterLimits.finite(b1), FilterLimits.finite(b2))
    if clear { self.clear() }
  }

  /// The coefficients of the difference equation, without `gain`.
  @inlinable
  public var coefficients: FilterCoefficients { FilterCoefficients(b0: b0, b1: b1, b2: b2) }

  /// The most recent output sample; 0 at first, and after `clear`.
  @inlinable
  public var lastOut: Float { Float(y0) }

  /// Returns the output for one input sample.
  @inlinable
  public mutating func tick(_ input: Float) -> Float {
    let x0 = gain * Double(input)
    y0 = b0 * x0 + b1 * x1 + b2 * x2
    (x2, x1) = (x1, x0)
    return Float(y0)
  }

  /// Clears the past sound; the coefficients stay.
  @inlinable
  public mutating func clear() { (x1, x2, y0) = (0, 0, 0) }
}
