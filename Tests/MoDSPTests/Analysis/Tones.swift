import Glibc
import MoTesting

/// Sounds with a known pitch, as they are sums of sines.
enum Tones {
  /// A tone whose overtones fall in level; those near half the sample rate are omitted.
  static func tone(
    _ frequency: Double, _ timbre: Timbre, seconds: Double = 0.2, sampleRate: Double = 48_000
  ) -> [Float] {
    var samples = [Double](repeating: 0, count: Int(seconds * sampleRate))
    for number in timbre.overtones where Double(number) * frequency < 0.45 * sampleRate {
      let step = 2 * .pi * frequency * Double(number) / sampleRate
      for index in samples.indices {
        samples[index] += sin(step * Double(index) + Double(number)) / Double(number)
      }
    }
    let peak = samples.map(abs).max() ?? 1
    return samples.map { Float(0.5 * $0 / peak) }
  }

  /// The overtones of a tone.
  enum Timbre: CaseIterable {
    case sine
    case sawtooth
    case square
    /// No fundamental: a bass from a small loudspeaker.
    case hollow

    var overtones: [Int] {
      switch self {
      case .sine: [1]
      case .sawtooth: Array(1...60)
      case .square: Array(stride(from: 1, to: 60, by: 2))
      case .hollow: Array(2...8)
      }
    }
  }

  /// Adds white noise with a root mean square to a sound.
  static func noisy(_ samples: [Float], rms: Double, seed: UInt64) -> [Float] {
    var random = TestRandom(seed: seed)
    return samples.map { $0 + Float((random.uniform() * 2 - 1) * rms * 3.0.squareRoot()) }
  }
}

/// The distance of two frequencies, in cents.
func cents(_ one: Float, _ other: Double) -> Double { 1200 * log2(Double(one) / other) }
