import Glibc

/// A complex number: one bin of a spectrum.
///
/// - Real-time safe: yes, all of it.
@frozen
public struct Complex: Sendable, Equatable {
  /// The real part: how much of a cosine.
  public var re: Float
  /// The imaginary part: minus how much of a sine, in the usual convention.
  public var im: Float

  /// From its parts.
  @inlinable
  public init(_ re: Float, _ im: Float = 0) {
    self.re = re
    self.im = im
  }

  /// From its length and its angle in radians.
  @inlinable
  public init(magnitude: Float, phase: Float) {
    self.init(magnitude * cosf(phase), magnitude * sinf(phase))
  }

  /// Its length.
  @inlinable
  public var magnitude: Float { power.squareRoot() }

  /// The square of its length.
  @inlinable
  public var power: Float { re * re + im * im }

  /// Its angle in radians, −π … π; 0 for nothing at all.
  @inlinable
  public var phase: Float { atan2f(im, re) }

  /// The number mirrored at the real axis.
  @inlinable
  public var conjugate: Complex { Complex(re, -im) }

  /// The sum.
  @inlinable
  public static func + (a: Complex, b: Complex) -> Complex { Complex(a.re + b.re, a.im + b.im) }

  /// The difference.
  @inlinable
  public static func - (a: Complex, b: Complex) -> Complex { Complex(a.re - b.re, a.im - b.im) }

  /// The product: lengths multiply, angles add.
  @inlinable
  public static func * (a: Complex, b: Complex) -> Complex {
    Complex(a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re)
  }

  /// The number made `gain` times as long.
  @inlinable
  public static func * (a: Complex, gain: Float) -> Complex { Complex(a.re * gain, a.im * gain) }

  /// Makes the number `gain` times as long.
  @inlinable
  public static func *= (a: inout Complex, gain: Float) { a = a * gain }
}
