import MoDSP
import Testing

@Suite("Spectrum values")
struct SpectrumTests {
  @Test("magnitude, power and phase of 3 + 4i are right, one by one and for a whole spectrum")
  func measures() {
    let bins = [Complex(3, 4), Complex(-2), Complex(0, -1), Complex(0)]
    #expect(bins.map(\.magnitude) == [5, 2, 1, 0])
    #expect(bins.map(\.power) == [25, 4, 1, 0])
    #expect(bins.map(\.phase) == [0.9272952, Float(Double.pi), Float(-Double.pi / 2), 0])
    var read = [Float](repeating: .nan, count: 4)
    MoFFT.magnitudes(of: bins, into: &read)
    #expect(read == [5, 2, 1, 0])
    MoFFT.powers(of: bins, into: &read)
    #expect(read == [25, 4, 1, 0])
    MoFFT.phases(of: bins, into: &read)
    #expect(read == bins.map(\.phase))
  }

  @Test("the product multiplies magnitudes and adds phases")
  func arithmetic() {
    #expect(Complex(1, 2) * Complex(3, -1) == Complex(5, 5))
    #expect(Complex(1, 2) + Complex(3, -1) == Complex(4, 1))
    let number = Complex(magnitude: 2, phase: 1)
    #expect(abs(number.magnitude - 2) < 1e-6 && abs(number.phase - 1) < 1e-6)
    #expect((number * number.conjugate).re == number.power)
  }

  @Test("bins and frequencies convert in both directions")
  func frequencies() throws {
    let fft = try MoFFT(size: 1024)
    #expect(fft.frequency(ofBin: 512, sampleRate: 48000) == 24000)
    #expect(fft.frequency(ofBin: 1, sampleRate: 48000) == 46.875)
    #expect(fft.bin(nearest: 440, sampleRate: 48000) == 9)
    #expect(fft.bin(nearest: -1, sampleRate: 48000) == 0)
    #expect(fft.bin(nearest: 1e9, sampleRate: 48000) == 512)
  }
}
