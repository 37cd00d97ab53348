import Glibc
import MoDSP
import Testing

@Suite("The Fourier transform of complex values")
struct ComplexFFTTests {
  @Test("every width of vectors finds NumPy's spectrum of noise", arguments: widths)
  func numpy(lanes: Int) {
    for expected in SciPy.complex {
      guard let fft = ComplexFFT(size: expected.size, lanes: lanes) else { continue }
      let bins = fft.spectrum(complexNoise(expected.size))
      #expect(expected.distance(to: bins) < 1e-6)
    }
  }

  @Test("back again is where it began, at all sizes", arguments: widths)
  func identity(lanes: Int) {
    for size in sizes {
      guard let fft = ComplexFFT(size: size, lanes: lanes) else { continue }
      let values = complexNoise(size)
      #expect(distance(parts(fft.signal(fft.spectrum(values))), parts(values)) < 1e-6)
    }
  }

  @Test("Parseval: as much energy in the bins as in the values", arguments: sizes)
  func parseval(size: Int) throws {
    let values = complexNoise(size)
    let bins = try ComplexFFT(size: size).spectrum(values)
    #expect(abs(norm(parts(bins)) / norm(parts(values)) / Double(size).squareRoot() - 1) < 1e-6)
  }

  @Test("what turns as a bin does is in that bin alone, above half the size too", arguments: sizes)
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
