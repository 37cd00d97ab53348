/// Bends a sample so that it stays within ±`limit`, nearly straight below half of it.
///
/// The hyperbolic tangent's [3/2] Padé approximant, which reaches 1 at 3.
@inlinable
func softClip(_ sample: Float, limit: Float) -> Float {
  let driven = max(-3, min(3, sample / limit))
  let square = driven * driven
  return limit * driven * (27 + square) / (27 + 9 * square)
}
