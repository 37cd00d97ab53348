import MoDSP

/// A position in the delay line of a pipe (the bore), usually between two samples; the bore is read at this position by
/// Lagrange interpolation of four samples.
@frozen
@usableFromInline
struct BoreReach: Sendable, BitwiseCopyable {
  @usableFromInline var whole = 1
  @usableFromInline var weights = SIMD4<Float>(0, 1, 0, 0)

  @usableFromInline
  init() {}

  /// Creates the position at a delay of at least 1 sample; the delay may have a fraction.
  init(_ delay: Double) {
    whole = Int(delay)
    let x = Float(delay - Double(whole))
    let (before, after, far) = (x - 1, x + 1, x - 2)
    weights = SIMD4(-x * before * far, 3 * after * before * far, -3 * x * after * far, x * after * before) / 6
  }

  /// Returns the interpolated sample of the bore at this position.
  @inlinable @inline(__always)
  func end(of bore: DelayLine) -> Float {
    (weights * SIMD4(bore[whole &- 1], bore[whole], bore[whole &+ 1], bore[whole &+ 2])).sum()
  }
}
