import MoTesting

/// Measurements of a short stretch of samples.
enum Curve {
  /// The largest second difference, with silence before; a click makes it large.
  static func bend(_ samples: [Float]) -> Float {
    var (most, last, slope): (Float, Float, Float) = (0, 0, 0)
    for sample in samples {
      most = max(most, abs(sample - last - slope))
      slope = sample - last
      last = sample
    }
    return most
  }

  /// The level, and as the brightness the level of the slope relative to it.
  static func tone(_ samples: some Collection<Float>) -> (level: Double, slope: Double) {
    let level = AudioMeasures.rms(samples)
    let slopes = zip(samples, samples.dropFirst()).map { $1 - $0 }
    return (level, AudioMeasures.rms(slopes) / max(level, 1e-12))
  }
}
