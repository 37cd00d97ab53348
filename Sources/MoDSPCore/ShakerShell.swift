import Glibc

/// The two resonances of a shaker, its shell and its seeds, computed in parallel.
///
/// - Source: K. Steiglitz, *A note on constant-gain digital resonators*, CMJ 18(4) (1994).
@frozen
@usableFromInline
struct ShakerShell: Sendable {
  @usableFromInline var b0 = SIMD2<Double>.zero
  @usableFromInline var a1 = SIMD2<Double>.zero
  @usableFromInline var a2 = SIMD2<Double>.zero
  @usableFromInline var gain = SIMD2<Double>.zero
  @usableFromInline var x1 = SIMD2<Double>.zero
  @usableFromInline var x2 = SIMD2<Double>.zero
  @usableFromInline var y1 = SIMD2<Double>.zero
  @usableFromInline var y2 = SIMD2<Double>.zero

  @usableFromInline
  init() {}

  /// Computes a resonance from its frequency and bandwidth, both in Hz; `index` is 0 for the shell, 1 for the seeds.
  mutating func tune(_ index: Int, frequency: Double, bandwidth: Double, gain: Double, sampleRate: Double) {
    let radius = FilterLimits.radius(exp(-.pi * bandwidth / sampleRate))
    let turn = FilterLimits.turn(min(frequency, 0.45 * sampleRate), sampleRate)
    a1[index] = -2 * radius * cos(2 * .pi * turn)
    a2[index] = radius * radius
    b0[index] = (1 - a2[index]) / 2
    self.gain[index] = gain
  }

  /// Whether both resonances are at rest.
  @inlinable
  var isSilent: Bool { y1 == .zero && y2 == .zero && x1 == .zero && x2 == .zero }

  /// Returns the next sample of the sum of both resonances; `input` has the excitation of the shell, then of the seeds.
  @inlinable @inline(__always)
  mutating func tick(_ input: SIMD2<Float>) -> Float {
    let x0 = SIMD2<Double>(input)
    let y0 = b0 * (x0 - x2) - a2 * y2 - a1 * y1
    (x2, x1) = (x1, x0)
    (y2, y1) = (y1, y0)
    return Float((gain * y0).sum())
  }

  /// Clears both resonances if they are below −300 dB; called only while the input is 0.
  @inlinable
  mutating func settle() {
    let size = y1 * y1 + y2 * y2
    if size.sum() < 1e-30 { clear() }
  }

  @inlinable
  mutating func clear() { (x1, x2, y1, y2) = (.zero, .zero, .zero, .zero) }
}
