/// The valid ranges of filter arguments, and functions that clamp to these ranges; NaN becomes the lowest valid value.
@usableFromInline
package enum FilterLimits {
  /// Returns a frequency as a fraction of the sample rate, clamped to 1e-6 … 0.4999.
  @inlinable
  package static func turn(_ frequency: Double, _ sampleRate: Double) -> Double {
    max(1e-6, min(frequency / sampleRate, 0.4999))
  }

  /// Clamps a quality factor to 0.01 … 10,000.
  @inlinable
  package static func q(_ q: Double) -> Double { max(0.01, min(q, 10_000)) }

  /// Clamps a pole on the real axis to −0.999999 … 0.999999.
  @inlinable
  package static func pole(_ pole: Double) -> Double { max(-0.999_999, min(pole, 0.999_999)) }

  /// Clamps a pole's distance from the origin to the range 0 … 0.999999.
  ///
  /// At 48 kHz, the ringing of the filter then decays to 1/e within 21 s.
  @inlinable
  package static func radius(_ radius: Double) -> Double { max(0, min(radius, 0.999_999)) }

  /// Returns a filter coefficient unchanged if it is finite, otherwise 0.
  @inlinable
  package static func finite(_ value: Double) -> Double { value.isFinite ? value : 0 }

  /// The smallest magnitude that a filter keeps, −400 dB; smaller values become 0, long before they are denormal.
  @inlinable @inline(__always) package static var least: Float { 1e-20 }

  /// The smallest magnitude that is invalid in a filter, 400 dB; NaN and magnitudes of 400 dB or more become 0.
  @inlinable @inline(__always) package static var most: Float { 1e20 }

  /// Returns whether the magnitude of a filter's output is at least `least` and below `most`; false for NaN.
  ///
  /// One integer comparison suffices: without the sign bits, the bit patterns of floats have the same order as the
  /// magnitudes.
  @inlinable @inline(__always)
  package static func isSounding(_ value: Float) -> Bool {
    (value.bitPattern &<< 1) &- (least.bitPattern &<< 1)
      < (most.bitPattern &<< 1) &- (least.bitPattern &<< 1)
  }

  /// Returns the values with which a filter replaces its last two outputs; called if `isSounding(newer)` is false.
  ///
  /// Both values are 0 if `newer` is NaN or its magnitude is at least `most`, or if `isSounding(older)` is false too.
  /// Otherwise the filter continues, because a resonance passes through 0 in every cycle. The function is not inlined:
  /// the compiler would otherwise compute both cases for every sample.
  @usableFromInline @inline(never)
  package static func clearIfSilent(_ newer: Double, _ older: Double) -> (newer: Double, older: Double) {
    guard abs(newer) < 1 && isSounding(Float(older)) else { return (0, 0) }
    return (abs(newer) < 1e-100 ? 0 : newer, older)
  }
}
