import Glibc

/// Finds the strongest partial of a sound by scanning the frequencies.
enum Loudest {
  /// Returns its frequency in Hz; nil for silence.
  ///
  /// - Parameter range: the range of the scan, in Hz.
  static func pitch(_ samples: [Float], sampleRate: Double, within range: ClosedRange<Double>) -> Double? {
    // Half a bin per step, then golden-section search.
    let step = 0.5 * sampleRate / Double(samples.count)
    var (best, most) = (0.0, 0.0)
    for frequency in stride(from: range.lowerBound, through: range.upperBound, by: step) {
      let size = size(samples, frequency / sampleRate)
      if size > most { (best, most) = (frequency, size) }
    }
    guard most > 1e-9 else { return nil }
    var (low, high) = (best - step, best + step)
    for _ in 0..<30 {
      let (near, far) = (low + 0.382 * (high - low), low + 0.618 * (high - low))
      if size(samples, near / sampleRate) > size(samples, far / sampleRate) { high = far } else { low = near }
    }
    return (low + high) / 2
  }

  /// Returns the magnitude of a frequency (turns per sample) under a Hann window.
  static func size(_ samples: [Float], _ turns: Double) -> Double {
    let (stepReal, stepImaginary) = (cos(2 * .pi * turns), sin(2 * .pi * turns))
    var (real, imaginary, x, y) = (0.0, 0.0, 1.0, 0.0)
    let width = 2 * .pi / Double(samples.count)
    var (a, b) = (1.0, 0.0)
    let (c, s) = (cos(width), sin(width))
    for sample in samples {
      let value = Double(sample) * (1 - a)
      real += value * x
      imaginary += value * y
      (x, y) = (x * stepReal - y * stepImaginary, x * stepImaginary + y * stepReal)
      (a, b) = (a * c - b * s, a * s + b * c)
    }
    return (real * real + imaginary * imaginary).squareRoot() / Double(samples.count)
  }
}
