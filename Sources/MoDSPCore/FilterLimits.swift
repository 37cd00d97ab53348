/// How arguments that make no sense are brought back to where a filter works; no number counts as the lowest.
@usableFromInline
package enum FilterLimits {
  /// A frequency as a fraction of the sample rate, 1e-6 … 0.4999.
  @inlinable
  package static func turn(_ frequency: Double, _ sampleRate: Double) -> Double {
    max(1e-6, min(frequency / sampleRate, 0.4999))
  }

  /// A quality factor, 0.01 … 10,000.
  @inlinable
  package static func q(_ q: Double) -> Double { max(0.01, min(q, 10_000)) }

  /// A pole's place on the real axis, −0.999999 … 0.999999.
  @inlinable
  package static func pole(_ pole: Double) -> Double { max(-0.999_999, min(pole, 0.999_999)) }

  /// A pole's distance from the centre, 0 … 0.999999: at 48 kHz it rings for at most 21 s to 1/e.
  @inlinable
  package static func radius(_ radius: Double) -> Double { max(0, min(radius, 0.999_999)) }

  /// A coefficient, 0 where it is no finite number.
  @inlinable
  package static func finite(_ value: Double) -> Double { value.isFinite ? value : 0 }

  /// −400 dB: what is less becomes 0, long before it would be denormal.
  @inlinable @inline(__always) package static var least: Float { 1e-20 }

  /// 400 dB: what is as much, or no number, becomes 0.
  @inlinable @inline(__always) package static var most: Float { 1e20 }

  /// Whether a filter's output is worth remembering.
  ///
  /// One comparison of whole numbers tells, since those of floats, without their sign, are in the floats' order.
  @inlinable @inline(__always)
  package static func isSounding(_ value: Float) -> Bool {
    (value.bitPattern &<< 1) &- (least.bitPattern &<< 1)
      < (most.bitPattern &<< 1) &- (least.bitPattern &<< 1)
  }

  /// What is left of the newer of two outputs, which is not sounding, and of the older one.
  ///
  /// Both end together: a resonance that passes through 0 goes on. The call keeps this apart from the loop: the
  /// compiler would otherwise turn the choice into arithmetic that every sample waits for.
  @usableFromInline @inline(never)
  package static func settle(_ newer: Double, _ older: Double) -> (newer: Double, older: Double) {
    guard abs(newer) < 1 && isSounding(Float(older)) else { return (0, 0) }
    return (abs(newer) < 1e-100 ? 0 : newer, older)
  }
}
