import Glibc

/// Measures by the definition of the Fourier transform, at any frequency.
extension AudioMeasures {
  /// A stretch of sound under Hann's window.
  public static func windowed(_ samples: ArraySlice<Float>) -> [Double] {
    samples.enumerated().map { index, sample in
      let turn = 2 * Double.pi * (Double(index) + 0.5) / Double(samples.count)
      return Double(sample) * (0.5 - 0.5 * cos(turn))
    }
  }

  /// The magnitude of the transform at so many cycles a sample.
  public static func strength(of samples: [Double], at cycles: Double) -> Double {
    let (stepCosine, stepSine) = (cos(2 * .pi * cycles), sin(2 * .pi * cycles))
    var (c, s, re, im) = (1.0, 0.0, 0.0, 0.0)
    for sample in samples {
      re += sample * c
      im += sample * s
      (c, s) = (c * stepCosine - s * stepSine, s * stepCosine + c * stepSine)
    }
    return hypot(re, im)
  }

  /// The frequency within so many cents of a guess at which a stretch of sound is strongest, in Hz.
  public static func strongest(
    near guess: Double, in samples: ArraySlice<Float>, sampleRate: Double, cents: Double = 40
  ) -> Double {
    let windowed = windowed(samples)
    // Golden section: within so narrow a range there is one hill.
    let golden = (5.0.squareRoot() - 1) / 2
    var (low, high) = (guess * exp2(-cents / 1200), guess * exp2(cents / 1200))
    while high - low > 1e-6 * guess {
      let (left, right) = (high - golden * (high - low), low + golden * (high - low))
      if strength(of: windowed, at: left / sampleRate) > strength(of: windowed, at: right / sampleRate) {
        high = right
      } else {
        low = left
      }
    }
    return (low + high) / 2
  }

  /// What of a sound lies in a narrow band at a frequency about a moment, as a sine's amplitude in dB.
  ///
  /// - Parameter width: of the window, in seconds.
  public static func level(
    of samples: [Float], at frequency: Double, around seconds: Double, width: Double = 0.1,
    sampleRate: Double = 48_000
  ) -> Double {
    let count = Int(width * sampleRate)
    let first = max(0, Int(seconds * sampleRate) - count / 2)
    let windowed = windowed(samples[first..<first + count])
    return 20 * log10(4 * strength(of: windowed, at: frequency / sampleRate) / Double(count) + 1e-12)
  }

  /// How far one frequency lies above another, in cents.
  public static func cents(_ frequency: Double, above other: Double) -> Double {
    1200 * log2(frequency / other)
  }
}
