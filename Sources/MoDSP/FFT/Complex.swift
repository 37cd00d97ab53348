import Glibc

/// A complex number, such as a bin of a spectrum.
///
/// - Real-time safe: yes.
@frozen
public struct Complex: Sendable, Equatable {
  /// The real part: in a spectrum, the cosine component.
  public var re: Float
  /// The imaginary part: in a spectrum, minus the sine component, because the transform sums with e^(−2πijk/size).
  public var im: Float

  /// Creates a number from its real and imaginary parts.
  @inlinable
  public init(_ re: Float, _ im: Float = 0) {
    self.re = re
    self.im = im
  }

  /// Creates a number from its magnitude and its angle in radians.
  @inlinable
  public init(magnitude: Float, phase: Float) {
    self.init(magnitude * cosf(phase), magnitude * sinf(phase))
  }

  /// The magnitude: the distance from 0 in the complex plane.
  @inlinable
  public var magnitude: Float { power.squareRoot() }

  /// The square of the magnitude.
  @inlinable
  public var power: Float { re * re + im * im }

  /// The angle in radians, −π … π; 0 for the number 0.
  @inlinable
  public var phase: Float { atan2f(im, re) }

  /// The complex conjugate: the same number with the opposite sign of `im`.
  @inlinable
  public var conjugate: Complex { Complex(re, -im) }

  /// Returns the sum of two numbers.
  @inlinable
  public static func + (a: Complex, b: Complex) -> Complex { Complex(a.re + b.re, a.im + b.im) }

  /// Returns the difference of two numbers.
  @inlinable
  public static func - (a: Complex, b: Complex) -> Complex { Complex(a.re - b.re, a.im - b.im) }

  /// Returns the product of two numbers: their magnitudes are multiplied, and their angles are added.
  @inlinable
  public static func * (a: Complex, b: Complex) -> Complex {
    Complex(a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re)
  }

  /// Returns the number multiplied by a gain.
  @inlinable
  public static func * (a: Complex, gain: Float) -> Complex { Complex(a.re * gain, a.im * gain) }

  /// Multiplies the number by a gain, in place.
  @inlinable
  public static func *= (a: inout Complex, gain: Float) { a = a * gain }
}
