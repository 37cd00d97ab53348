/// How arguments that make no sense are brought back to where a filter works; no number counts as the lowest.
@usableFromInline
enum FilterLimits {
  /// A frequency as a fraction of the sample rate, 1e-6 … 0.4999.
  @inlinable
  static func turn(_ frequency: Double, _ sampleRate: Double) -> Double {
    max(1e-6, min(frequency / sampleRate, 0.4999))
  }

  /// A quality factor, 0.01 … 10,000.
  @inlinable
  static func q(_ q: Double) -> Double { max(0.01, min(q, 10_000)) }

  /// A pole's place on the real axis, −0.999999 … 0.999999.
  @inlinable
  static func pole(_ pole: Double) -> Double { max(-0.999_999, min(pole, 0.999_999)) }

  /// A pole's distance from the centre, 0 … 0.999999: at 48 kHz it rings for at most 21 s to 1/e.
  @inlinable
  static func radius(_ radius: Double) -> Double { max(0, min(radius, 0.999_999)) }

  /// A coefficient, 0 where it is no finite number.
  @inlinable
  static func finite(_ value: Double) -> Double { value.isFinite ? value : 0 }

  /// Whether what a filter remembers is worth keeping: neither below −400 dB nor above 400 dB nor NaN.
  ///
  /// What is not becomes 0, long before it would be denormal, even as a `Float`. One comparison of whole numbers
  /// tells, since those of doubles are in the doubles' order. Ask it by `_slowPath`: left to itself the compiler may
  /// turn the answer into arithmetic that every sample then waits for, ten times as long.
  @inlinable
  static func isSounding(_ size: Double) -> Bool {
    size.bitPattern &- (1e-20).bitPattern < (1e20).bitPattern &- (1e-20).bitPattern
  }
}
