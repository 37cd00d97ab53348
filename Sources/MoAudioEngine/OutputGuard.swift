/// The last stage before the card: fades, silences NaN and infinity, clips at full scale, and measures the peak.
///
/// - Thread: the audio thread.
/// - Real-time safe: yes.
struct OutputGuard {
  /// The number of frames in which the gain rises from 0 to 1 or falls from 1 to 0.
  let fadeFrames: Int
  private(set) var gain: Float

  /// The results for a block: its peak, the number of samples that were NaN or infinite, and the number of clipped
  /// samples.
  struct Findings {
    var peak: Float = 0
    var nonFinite = 0
    var clipped = 0
  }

  init(fadeFrames: Int, gain: Float = 1) {
    self.fadeFrames = max(1, fadeFrames)
    self.gain = gain
  }

  /// Fades and corrects `frames × channels` interleaved samples in place; the gain moves linearly towards `goal`.
  mutating func process(
    _ samples: UnsafeMutablePointer<Float>, frames: Int, channels: Int, goal: Float
  ) -> Findings {
    if gain != goal || gain != 1 { fade(samples, frames: frames, channels: channels, goal: goal) }
    return OutputGuard.clean(samples, count: frames &* channels)
  }

  private mutating func fade(
    _ samples: UnsafeMutablePointer<Float>, frames: Int, channels: Int, goal: Float
  ) {
    let step = 1 / Float(fadeFrames)
    var index = 0
    for _ in 0..<frames {
      gain = gain < goal ? min(goal, gain + step) : max(goal, gain - step)
      for _ in 0..<channels {
        samples[index] *= gain
        index &+= 1
      }
    }
  }

  /// Replaces NaN and infinity by 0, and clips other samples at ±1; returns the peak and the number of each correction.
  private static func clean(_ samples: UnsafeMutablePointer<Float>, count: Int) -> Findings {
    var peaks = SIMD8<Float>(repeating: 0)
    var bad = SIMD8<Int32>(repeating: 0)
    var loud = SIMD8<Int32>(repeating: 0)
    var findings = Findings()
    let one = SIMD8<Float>(repeating: 1)
    let raw = UnsafeMutableRawPointer(samples)
    var index = 0
    while index &+ 8 <= count {
      var eight = raw.loadUnaligned(fromByteOffset: index &* 4, as: SIMD8<Float>.self)
      // Infinity minus itself, and NaN minus itself, are NaN, which is not equal to itself.
      let difference = eight - eight
      let finite = difference .== difference
      eight.replace(with: 0, where: .!finite)
      let above = eight .> one
      let below = eight .< -one
      bad.replace(with: bad &+ 1, where: .!finite)
      loud.replace(with: loud &+ 1, where: above .| below)
      // Masks, since `clamp` and `pointwiseMax` are calls that process the lanes separately.
      eight.replace(with: one, where: above)
      eight.replace(with: -one, where: below)
      let size = eight.replacing(with: -eight, where: eight .< 0)
      peaks.replace(with: size, where: size .> peaks)
      raw.storeBytes(of: eight, toByteOffset: index &* 4, as: SIMD8<Float>.self)
      index &+= 8
    }
    while index < count {
      var sample = samples[index]
      if !sample.isFinite {
        sample = 0
        findings.nonFinite += 1
      }
      if abs(sample) > 1 { findings.clipped += 1 }
      sample = min(max(sample, -1), 1)
      findings.peak = max(findings.peak, abs(sample))
      samples[index] = sample
      index &+= 1
    }
    findings.peak = max(findings.peak, peaks.max())
    findings.nonFinite += Int(bad.wrappedSum())
    findings.clipped += Int(loud.wrappedSum())
    return findings
  }
}
