/// Measurements of recorded sound, for tests.
public enum AudioMeasures {
  /// Returns the root mean square of the samples; 0 if there are none.
  public static func rms(_ samples: some Collection<Float>) -> Double {
    guard !samples.isEmpty else { return 0 }
    return (samples.reduce(0.0) { $0 + Double($1) * Double($1) } / Double(samples.count)).squareRoot()
  }

  /// Returns the largest magnitude of the samples; 0 if there are none.
  public static func peak(_ samples: some Sequence<Float>) -> Float {
    samples.reduce(0) { max($0, abs($1)) }
  }

  /// Returns whether all samples are finite.
  public static func isFinite(_ samples: some Sequence<Float>) -> Bool { samples.allSatisfy(\.isFinite) }

  /// Returns the pitch of a sound in Hz; nil if the sound does not repeat with a frequency in the range.
  ///
  /// The period is the shortest delay at which the normalised autocorrelation has a peak above 95 % of its maximum. A
  /// parabola through the peak refines the period.
  ///
  /// - Parameters:
  ///   - samples: the sound; at least twice as long as the longest period of `range`.
  ///   - sampleRate: frames per second.
  ///   - range: the range of the search, in Hz.
  public static func pitch(
    _ samples: [Float], sampleRate: Double, within range: ClosedRange<Double>
  ) -> Double? {
    let shortest = max(1, Int(sampleRate / range.upperBound))
    let longest = Int(sampleRate / range.lowerBound) + 1
    guard samples.count >= 2 * longest else { return nil }
    let window = samples.count - longest - 1
    let alike: [Double] = (shortest - 1...longest + 1).map { likeness(samples, lag: $0, window: window) }
    let inner = 1..<alike.count - 1
    guard let highest = alike[inner].max(), highest > 0.5 else { return nil }
    let peak = inner.first {
      alike[$0] > 0.95 * highest && alike[$0] >= alike[$0 - 1] && alike[$0] >= alike[$0 + 1]
    }
    guard let peak else { return nil }
    let bow = alike[peak - 1] - 2 * alike[peak] + alike[peak + 1]
    let shift = bow == 0 ? 0 : (alike[peak - 1] - alike[peak + 1]) / (2 * bow)
    return sampleRate / (Double(peak + shortest - 1) + shift)
  }

  /// Returns the normalised correlation of the sound with its delayed copy, −1 … 1.
  private static func likeness(_ samples: [Float], lag: Int, window: Int) -> Double {
    var (product, here, there) = (0.0, 0.0, 0.0)
    for index in 0..<window {
      let (a, b) = (Double(samples[index]), Double(samples[index + lag]))
      product += a * b
      here += a * a
      there += b * b
    }
    return here * there > 0 ? product / (here * there).squareRoot() : 0
  }
}
