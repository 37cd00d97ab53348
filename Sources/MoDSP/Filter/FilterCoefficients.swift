import Glibc

/// A difference equation of second order, normalised so that a0 is 1:
/// y[n] = b0·x[n] + b1·x[n−1] + b2·x[n−2] − a1·y[n−1] − a2·y[n−2].
@frozen
public struct FilterCoefficients: Equatable, Sendable, BitwiseCopyable {
  /// What the input counts.
  public var b0: Double
  /// What the input of one sample ago counts.
  public var b1: Double
  /// What the input of two samples ago counts.
  public var b2: Double
  /// What the output of one sample ago counts, subtracted.
  public var a1: Double
  /// What the output of two samples ago counts, subtracted.
  public var a2: Double

  /// Takes the five as they are; by default the sound passes unchanged.
  @inlinable
  public init(b0: Double = 1, b1: Double = 0, b2: Double = 0, a1: Double = 0, a2: Double = 0) {
    (self.b0, self.b1, self.b2) = (b0, b1, b2)
    (self.a1, self.a2) = (a1, a2)
  }

  /// Takes lists as SciPy and MATLAB give them, one to three numbers each, divided by the first of `a`.
  ///
  /// `Cascade` makes filters of higher order, as sections of these.
  ///
  /// - Parameters:
  ///   - b: what the input counts, the newest sample first.
  ///   - a: what the output counts; the first is not 0.
  /// - Returns: nil where there are other numbers of them, one is not finite, or the first of `a` is 0.
  public init?(_ b: [Double], over a: [Double]) {
    guard (1...3).contains(b.count), (1...3).contains(a.count), a[0] != 0,
      b.allSatisfy({ ($0 / a[0]).isFinite }), a.allSatisfy({ ($0 / a[0]).isFinite })
    else { return nil }
    func part(_ list: [Double], _ index: Int) -> Double { index < list.count ? list[index] / a[0] : 0 }
    self.init(b0: part(b, 0), b1: part(b, 1), b2: part(b, 2), a1: part(a, 1), a2: part(a, 2))
  }

  /// Whether both poles lie inside the unit circle, so that every sound dies away.
  public var isStable: Bool { abs(a2) < 1 && abs(a1) < 1 + a2 }

  /// What the equation does to a steady sine of so many Hz, at so many samples a second.
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

/// What a filter does to a steady sine, as a complex number: how much louder, and how far turned.
public struct FilterResponse: Equatable, Sendable, BitwiseCopyable {
  /// The part in step with the input.
  public var real: Double
  /// The part a quarter turn ahead of it.
  public var imaginary: Double

  /// How many times louder.
  public var magnitude: Double { hypot(real, imaginary) }
  /// The same in dB; −∞ for nothing at all.
  public var decibels: Double { 20 * log10(magnitude) }
  /// How far ahead of the input, in radians, −π … π.
  public var phase: Double { atan2(imaginary, real) }

  /// One filter after the other.
  public static func * (first: FilterResponse, second: FilterResponse) -> FilterResponse {
    FilterResponse(
      real: first.real * second.real - first.imaginary * second.imaginary,
      imaginary: first.real * second.imaginary + first.imaginary * second.real)
  }
}
