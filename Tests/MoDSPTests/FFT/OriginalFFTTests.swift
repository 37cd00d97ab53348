import Glibc
import MoDSP
import Testing

@Suite("The original toolkit's packing and scale")
struct OriginalFFTTests {
  /// A cosine of amplitude 1 with the initial phase `phase`.
  func wave(bin: Int, size: Int, phase: Double = 0) -> [Float] {
    (0..<size).map { Float(cos(2 * .pi * Double($0 * bin % size) / Double(size) + phase)) }
  }

  @Test(
    "rfft gives 0.5 as a real part for a cosine, and as an imaginary part for a sine",
    arguments: sizes.dropFirst())
  func sinusoids(size: Int) throws {
    let fft = try MoFFT(size: size)
    let bin = size / 4 + 1
    for (part, phase) in [0, -Double.pi / 2].enumerated() {
      var x = wave(bin: bin, size: size, phase: phase)
      fft.rfft(&x, .forward, scratch: fft.makeScratch())
      #expect(abs(x[2 * bin + part] - 0.5) < 1e-6)
      x[2 * bin + part] = 0
      #expect(norm(x) < 1e-6)
    }
  }

  @Test("rfft has 0 Hz first, and half the sample rate second")
  func ends() throws {
    let fft = try MoFFT(size: 16)
    var x = (0..<16).map { $0 % 2 == 0 ? Float(3) : -1 }
    fft.rfft(&x, .forward, scratch: fft.makeScratch())
    #expect(distance(x, [1, 2] + [Float](repeating: 0, count: 14)) < 1e-6)
  }

  @Test("rfft gives the conjugates of the usual bins, divided by the size", arguments: sizes)
  func packing(size: Int) throws {
    let fft = try MoFFT(size: size)
    var x = noise(size)
    let bins = fft.spectrum(x)
    fft.rfft(&x, .forward, scratch: fft.makeScratch())
    var expected = bins.dropLast().flatMap { [$0.re / Float(size), -$0.im / Float(size)] }
    expected[1] = bins[size / 2].re / Float(size)
    #expect(distance(x, expected) < 1e-6)
  }

  @Test("both inverses restore the input without further scaling", arguments: sizes)
  func identity(size: Int) throws {
    let real = try MoFFT(size: size)
    var x = noise(size)
    real.rfft(&x, .forward, scratch: real.makeScratch())
    real.rfft(&x, .inverse, scratch: real.makeScratch())
    #expect(distance(x, noise(size)) < 1e-6)
    let complex = try ComplexFFT(size: size)
    var z = complexNoise(size)
    complex.cfft(&z, .forward, scratch: complex.makeScratch())
    complex.cfft(&z, .inverse, scratch: complex.makeScratch())
    #expect(distance(parts(z), parts(complexNoise(size))) < 1e-6)
  }

  @Test("cfft gives 0.5 for a clockwise exponential of bin 3")
  func turning() throws {
    let fft = try ComplexFFT(size: 32)
    let (re, im) = (wave(bin: 3, size: 32), wave(bin: 3, size: 32, phase: .pi / 2))
    var z = zip(re, im).map { Complex($0, $1) }
    fft.cfft(&z, .forward, scratch: fft.makeScratch())
    z[3] = z[3] - Complex(0.5)
    #expect(norm(parts(z)) < 1e-6)
  }
}
