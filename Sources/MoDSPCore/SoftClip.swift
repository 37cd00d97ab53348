/// Returns a sample limited smoothly to ±`limit`; the curve is nearly linear within ± half of `limit`.
///
/// The curve adds odd harmonics only. Infinity becomes `limit`, −infinity becomes −`limit`, and NaN becomes `limit`.
///
/// - Parameters:
///   - sample: the sample to limit.
///   - limit: above 0.
/// - Real-time safe: yes.
/// - Source: the hyperbolic tangent's [3/2] Padé approximant, which reaches 1 at 3.
@inlinable
public func softClip(_ sample: Float, limit: Float) -> Float {
  let driven = max(-3, min(3, sample / limit))
  let square = driven * driven
  return limit * min(1, max(-1, driven * (27 + square) / (27 + 9 * square)))
}
