import Glibc
import MoDSP
import Testing

@Suite("Fourier transform of complex values")
struct ComplexFFTTests {
  @Test("every vector width gives NumPy's spectrum of noise", arguments: widths)
  func numpy(lanes: Int) {
    for expected in SciPy.complex {
      guard let fft = ComplexFFT(size: expected.size, lanes: lanes) else { continue }
      let bins = fft.spectrum(complexNoise(expected.size))
      #expect(expected.distance(to: bins) < 1e-6)
    }
  }

  @Test("the inverse restores the input, at all sizes", arguments: widths)
  func identity(lanes: Int) {
    for size in sizes {
      guard let fft = ComplexFFT(size: size, lanes: lanes) else { continue }
      let values = complexNoise(size)
      #expect(distance(parts(fft.signal(fft.spectrum(values))), parts(values)) < 1e-6)
    }
  }

  @Test("the energy of the bins equals that of the values (Parseval)", arguments: sizes)
  func parseval(size: Int) throws {
    let values = complexNoise(size)
    let bins = try ComplexFFT(size: size).spectrum(values)
    #expect(abs(norm(parts(bins)) / norm(parts(values)) / Double(size).squareRoot() - 1) < 1e-6)
  }

  @Test("a complex exponential is in its bin alone, also above half the size", arguments: sizes)
  func turning(size: Int) throws {
    for bin in Set([1, size / 3, size - 1]) {
      var bins = try ComplexFFT(size: size).spectrum(
        (0..<size).map {
          let angle = 2 * Double.pi * Double($0 * bin % size) / Double(size)
          return Complex(Float(cos(angle)), Float(sin(angle)))
        })
      bins[bin] = bins[bin] - Complex(Float(size))
      #expect(norm(parts(bins)) < 1e-6 * Double(size) * Double(size).squareRoot())
    }
  }

  @Test("real samples give the real transform's bins, and their mirror image")
  func real() throws {
    let samples = noise(128)
    let all = try ComplexFFT(size: 128).spectrum(samples.map { Complex($0) })
    #expect(distance(parts(Array(all[0...64])), parts(try MoFFT(size: 128).spectrum(samples))) < 1e-6)
    #expect(
      distance(parts((65..<128).map { all[$0].conjugate }), parts((65..<128).map { all[128 - $0] })) < 1e-6)
  }
}
