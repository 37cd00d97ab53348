import MoDSP

/// The same numbers as in Outside/fft.py.
func noise(_ count: Int) -> [Float] {
  var state: UInt32 = 1
  return (0..<count).map { _ in
    state = 1_664_525 &* state &+ 1_013_904_223
    return Float(state >> 16) / 32768 - 1
  }
}

/// The numbers as complex values.
func complexNoise(_ count: Int) -> [Complex] {
  let parts = noise(2 * count)
  return (0..<count).map { Complex(parts[2 * $0], parts[2 * $0 + 1]) }
}

/// All sizes.
let sizes = (2...16).map { 1 << $0 }

/// Vector widths that a transform may use; those that this machine or a size does not support are skipped.
let widths = [1, 4, 8]

/// The root of the sum of squares.
func norm(_ samples: some Sequence<Float>) -> Double {
  samples.reduce(0.0) { $0 + Double($1) * Double($1) }.squareRoot()
}

/// The distance between two signals, divided by the length of the second.
func distance(_ a: [Float], _ b: [Float]) -> Double {
  a.count == b.count ? norm(zip(a, b).map { $0 - $1 }) / norm(b) : .infinity
}

/// Alternating real and imaginary parts.
func parts(_ values: [Complex]) -> [Float] { values.flatMap { [$0.re, $0.im] } }

extension SciPy.Spectrum {
  /// The largest difference of a part, divided by the root mean square of the bins.
  func distance(to ours: [Complex]) -> Double {
    let some = parts(bins.map { ours[$0] })
    let worst = zip(some, self.parts).map { abs(Double($0) - $1) }.max() ?? .infinity
    return worst / (norm(parts(ours)) / Double(ours.count).squareRoot())
  }

  private func parts(_ values: [Complex]) -> [Float] { MoDSPTests.parts(values) }
}

extension MoFFT {
  func spectrum(_ samples: [Float]) -> [Complex] {
    var bins = makeBins()
    forward(samples, into: &bins, scratch: makeScratch())
    return bins
  }

  func signal(_ bins: [Complex]) -> [Float] {
    var samples = [Float](repeating: .nan, count: size)
    inverse(bins, into: &samples, scratch: makeScratch())
    return samples
  }
}

extension ComplexFFT {
  func spectrum(_ values: [Complex]) -> [Complex] {
    var values = values
    forward(&values, scratch: makeScratch())
    return values
  }

  func signal(_ values: [Complex]) -> [Complex] {
    var values = values
    inverse(&values, scratch: makeScratch())
    return values
  }
}
