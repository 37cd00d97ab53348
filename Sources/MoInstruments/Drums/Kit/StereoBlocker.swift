import Glibc

/// A DC blocker for two channels, with a cutoff of 10 Hz: decaying tones have a small DC component.
struct StereoBlocker: Sendable {
  private var last = SIMD2<Float>.zero
  private var out = SIMD2<Float>.zero
  private var pole: Float = 0.998_7

  mutating func prepare(sampleRate: Double) {
    pole = Float(exp(-2 * .pi * 10 / sampleRate))
    (last, out) = (.zero, .zero)
  }

  mutating func tick(_ sound: SIMD2<Float>) -> SIMD2<Float> {
    out = sound - last + pole * out
    last = sound
    if abs(out.x) + abs(out.y) < 1e-9 { out = .zero }
    return out
  }
}
