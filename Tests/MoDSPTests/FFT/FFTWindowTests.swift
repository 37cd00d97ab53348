import Glibc
import MoDSP
import Testing

@Suite("Windows")
struct FFTWindowTests {
  @Test("equal SciPy's, periodic and symmetric")
  func scipy() {
    for expected in SciPy.windows {
      let samples = expected.shape.samples(expected.samples.count, isSymmetric: expected.isSymmetric)
      for (sample, wanted) in zip(samples, expected.samples) { #expect(abs(Double(sample) - wanted) < 1e-7) }
      #expect(samples.count == expected.samples.count)
    }
  }

  @Test("have the side lobes of the literature")
  func sideLobes() throws {
    let lobes: [(FFTWindow, mainLobe: Int, decibels: Float)] = [
      (.hann, 2, -31), (.hamming, 2, -42), (.blackman, 3, -58), (.blackmanHarris, 4, -91.9),
    ]
    let fft = try MoFFT(size: 4096)
    for (window, mainLobe, decibels) in lobes {
      // Sixteen times as long as the window, so that lobes between the bins are visible.
      let padded = window.samples(256) + [Float](repeating: 0, count: 4096 - 256)
      let bins = fft.spectrum(padded)
      let highest = bins[(16 * mainLobe)...].map(\.magnitude).max() ?? 0
      #expect(20 * log10f(highest / bins[0].magnitude) < decibels)
    }
  }

  @Test("multiply each sample by its weight")
  func applied() {
    var samples: [Float] = [1, -2, 3, 8]
    FFTWindow.apply([0.5, 1, 0, -1], to: &samples)
    #expect(samples == [0.5, -2, 0, -8])
  }
}
