import MoTesting

/// What a curve of samples looks like from near.
enum Curve {
  /// The largest bend (second difference), with silence before: what a click makes large.
  static func bend(_ samples: [Float]) -> Float {
    var (most, last, slope): (Float, Float, Float) = (0, 0, 0)
    for sample in samples {
      most = max(most, abs(sample - last - slope))
      slope = sample - last
      last = sample
    }
    return most
  }

  /// How loud, and how bright: the level, and that of the slope against it.
  static func tone(_ samples: some Collection<Float>) -> (level: Double, slope: Double) {
    let level = AudioMeasures.rms(samples)
    let slopes = zip(samples, samples.dropFirst()).map { $1 - $0 }
    return (level, AudioMeasures.rms(slopes) / max(level, 1e-12))
  }
}
