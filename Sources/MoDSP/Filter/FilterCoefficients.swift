import Glibc

/// The coefficients with which a filter of second order computes its output from its inputs and its past outputs.
///
/// The coefficients belong to this difference equation, with the input x and the output y. They are normalised so that
/// a0 is 1:
///
/// y[n] = b0·x[n] + b1·x[n−1] + b2·x[n−2] − a1·y[n−1] − a2·y[n−2]
///
/// The functions from `lowPass` to `highShelf` return the filters of R. Bristow-Johnson's audio EQ cookbook. Each takes
/// about as long as the filtering of 30 samples. For the parameters of these functions, NaN counts as the lowest value.
///
/// - Real-time safe: yes.
@frozen
public struct FilterCoefficients: Equatable, Sendable, BitwiseCopyable {
  /// The coefficient of x[n], the present input sample.
  public var b0: Double
  /// The coefficient of x[n−1], the input one sample ago.
  public var b1: Double
  /// The coefficient of x[n−2], the input two samples ago.
  public var b2: Double
  /// The coefficient of y[n−1], the output one sample ago; the product is subtracted.
  public var a1: Double
  /// The coefficient of y[n−2], the output two samples ago; the product is subtracted.
  public var a2: Double

  /// Creates coefficients from their values; by default the sound passes unchanged.
  @inlinable
  public init(b0: Double = 1, b1: Double = 0, b2: Double = 0, a1: Double = 0, a2: Double = 0) {
    (self.b0, self.b1, self.b2) = (b0, b1, b2)
    (self.a1, self.a2) = (a1, a2)
  }

  /// Creates coefficients from the lists `b` and `a` of SciPy and MATLAB; all values are divided by the first of `a`.
  ///
  /// For a higher order, use `Cascade`, which puts several filters of second order in series.
  ///
  /// - Parameters:
  ///   - b: one to three coefficients of the input; the first value belongs to the newest sample.
  ///   - a: one to three coefficients of the output; the first value belongs to the newest sample, and must not be 0.
  /// - Returns: nil if a list is empty or has more than three values, if a value is not finite, or if the first value
  ///   of `a` is 0.
  public init?(_ b: [Double], over a: [Double]) {
    guard (1...3).contains(b.count), (1...3).contains(a.count), a[0] != 0,
      b.allSatisfy({ ($0 / a[0]).isFinite }), a.allSatisfy({ ($0 / a[0]).isFinite })
    else { return nil }
    func part(_ list: [Double], _ index: Int) -> Double { index < list.count ? list[index] / a[0] : 0 }
    self.init(b0: part(b, 0), b1: part(b, 1), b2: part(b, 2), a1: part(a, 1), a2: part(a, 2))
  }

  /// Whether every sound decays in the filter (both poles are inside the unit circle).
  public var isStable: Bool { abs(a2) < 1 && abs(a1) < 1 + a2 }

  /// Returns the gain and phase for a steady sine; `frequency` and `sampleRate` are in Hz.
  public func response(at frequency: Double, sampleRate: Double) -> FilterResponse {
    let angle = 2 * .pi * frequency / sampleRate
    let (c1, s1, c2, s2) = (cos(angle), sin(angle), cos(2 * angle), sin(2 * angle))
    let (top, topTurn) = (b0 + b1 * c1 + b2 * c2, -b1 * s1 - b2 * s2)
    let (bottom, bottomTurn) = (1 + a1 * c1 + a2 * c2, -a1 * s1 - a2 * s2)
    let square = bottom * bottom + bottomTurn * bottomTurn
    return FilterResponse(
      real: (top * bottom + topTurn * bottomTurn) / square,
      imaginary: (topTurn * bottom - top * bottomTurn) / square)
  }
}

/// The gain and phase of a filter for a steady sine, as a complex number.
public struct FilterResponse: Equatable, Sendable, BitwiseCopyable {
  /// The amplitude of the output's component in phase with the input, for an input of amplitude 1.
  public var real: Double
  /// The amplitude of the output's component a quarter turn (90°) ahead of the input, for an input of amplitude 1.
  public var imaginary: Double

  /// The gain: the amplitude of the output for an input of amplitude 1.
  public var magnitude: Double { hypot(real, imaginary) }
  /// The gain in dB; −∞ for a gain of 0.
  public var decibels: Double { 20 * log10(magnitude) }
  /// The phase by which the output is ahead of the input, in radians, −π … π.
  public var phase: Double { atan2(imaginary, real) }

  /// Returns the response of two filters in series.
  public static func * (first: FilterResponse, second: FilterResponse) -> FilterResponse {
    FilterResponse(
      real: first.real * second.real - first.imaginary * second.imaginary,
      imaginary: first.real * second.imaginary + first.imaginary * second.real)
  }
}
