import Glibc

/// Measurements at any frequency, by the definition of the Fourier transform.
extension AudioMeasures {
  /// Returns the samples multiplied by a Hann window.
  public static func windowed(_ samples: ArraySlice<Float>) -> [Double] {
    samples.enumerated().map { index, sample in
      let turn = 2 * Double.pi * (Double(index) + 0.5) / Double(samples.count)
      return Double(sample) * (0.5 - 0.5 * cos(turn))
    }
  }

  /// Returns the magnitude of the samples' Fourier transform at a frequency, which is given in cycles per sample.
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

  /// Returns the frequency, in Hz, of the strongest component that is at most `cents` away from a guess.
  public static func strongest(
    near guess: Double, in samples: ArraySlice<Float>, sampleRate: Double, cents: Double = 40
  ) -> Double {
    let windowed = windowed(samples)
    // Golden-section search: in such a narrow range there is one maximum.
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

  /// Returns the level of a narrow frequency band around a time, in dB: 0 dB is a sine with the amplitude 1.
  ///
  /// - Parameters:
  ///   - samples: the sound.
  ///   - frequency: the middle of the band, in Hz.
  ///   - seconds: the middle of the measured window, in seconds after the first sample.
  ///   - width: the length of the window, in seconds.
  ///   - sampleRate: frames per second.
  public static func level(
    of samples: [Float], at frequency: Double, around seconds: Double, width: Double = 0.1,
    sampleRate: Double = 48_000
  ) -> Double {
    let count = Int(width * sampleRate)
    let first = max(0, Int(seconds * sampleRate) - count / 2)
    let windowed = windowed(samples[first..<first + count])
    return 20 * log10(4 * strength(of: windowed, at: frequency / sampleRate) / Double(count) + 1e-12)
  }

  /// Returns the interval from `other` up to `frequency`, in cents; negative if `frequency` is lower.
  public static func cents(_ frequency: Double, above other: Double) -> Double {
    1200 * log2(frequency / other)
  }
}
