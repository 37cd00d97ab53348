import Glibc
import MoDSP
import Testing

@Suite("Fourier transform of real samples")
struct RealFFTTests {
  @Test("every vector width gives NumPy's spectrum of noise", arguments: widths)
  func numpy(lanes: Int) {
    for expected in SciPy.real {
      guard let fft = MoFFT(size: expected.size, lanes: lanes) else { continue }
      let bins = fft.spectrum(noise(expected.size))
      #expect(expected.distance(to: bins) < 1e-6)
    }
  }

  @Test("all widths agree, and a plan has one of them")
  func widthsAgree() throws {
    for size in sizes {
      let samples = noise(size)
      let best = parts(try MoFFT(size: size).spectrum(samples))
      for lanes in widths {
        guard let fft = MoFFT(size: size, lanes: lanes) else { continue }
        #expect(distance(parts(fft.spectrum(samples)), best) < 1e-6)
      }
      #expect(MoFFT(size: size, lanes: 1) != nil)
      #expect((MoFFT(size: size, lanes: 4) != nil) == (size >= 64))
    }
  }

  @Test("the inverse restores the input, at all sizes", arguments: widths)
  func identity(lanes: Int) {
    for size in sizes {
      guard let fft = MoFFT(size: size, lanes: lanes) else { continue }
      let samples = noise(size)
      #expect(distance(fft.signal(fft.spectrum(samples)), samples) < 1e-6)
    }
  }

  @Test("the energy of the bins equals that of the samples (Parseval)", arguments: sizes)
  func parseval(size: Int) throws {
    let samples = noise(size)
    let bins = try MoFFT(size: size).spectrum(samples)
    let ends = Double(bins[0].power) + Double(bins[size / 2].power)
    let inner = bins.dropFirst().dropLast().reduce(0.0) { $0 + 2 * Double($1.power) }
    let energy = norm(samples) * norm(samples)
    #expect(abs((ends + inner) / Double(size) / energy - 1) < 1e-6)
  }

  @Test("the spectrum of a sum is the sum of the spectra", arguments: sizes)
  func linear(size: Int) throws {
    let fft = try MoFFT(size: size)
    let both = noise(2 * size)
    let (a, b) = (Array(both[..<size]), Array(both[size...]))
    let sum = fft.spectrum(zip(a, b).map { 3 * $0 - $1 })
    let apart = zip(fft.spectrum(a), fft.spectrum(b)).map { $0 * 3 - $1 }
    #expect(distance(parts(sum), parts(apart)) < 1e-6)
  }

  @Test("an impulse has every frequency at the same level, with the phase of its delay", arguments: sizes)
  func impulse(size: Int) throws {
    for delay in [0, 1, size / 2 + 1] {
      var samples = [Float](repeating: 0, count: size)
      samples[delay] = 1
      for (k, bin) in try MoFFT(size: size).spectrum(samples).enumerated() {
        let angle = -2 * Double.pi * Double(k * delay % size) / Double(size)
        #expect(abs(Double(bin.re) - cos(angle)) < 1e-6)
        #expect(abs(Double(bin.im) - sin(angle)) < 1e-6)
      }
    }
  }

  @Test(
    "a cosine gives half the size in its bin, a sine −i times that, and 0 in all other bins",
    arguments: sizes)
  func sinusoids(size: Int) throws {
    let fft = try MoFFT(size: size)
    for bin in Set([1, size / 3, size / 2 - 1]) {
      let angles = (0..<size).map { 2 * Double.pi * Double($0 * bin % size) / Double(size) }
      let half = Float(size / 2)
      for (samples, expected) in [
        (angles.map { Float(cos($0)) }, Complex(half)), (angles.map { Float(sin($0)) }, Complex(0, -half)),
      ] {
        var bins = fft.spectrum(samples)
        bins[bin] = bins[bin] - expected
        #expect(norm(parts(bins)) < 1e-6 * Double(half) * Double(size).squareRoot())
      }
    }
  }

  @Test("0 Hz and half the sample rate are the first and last bins, and the inverse takes them as real")
  func ends() throws {
    let fft = try MoFFT(size: 256)
    let samples = (0..<256).map { $0 % 2 == 0 ? Float(3) : -1 }
    var bins = fft.spectrum(samples)
    #expect(bins.count == fft.binCount)
    #expect((bins[0] - Complex(256)).magnitude < 1e-4 && (bins[128] - Complex(512)).magnitude < 1e-4)
    bins[0].im = 5
    bins[128].im = -7
    #expect(distance(fft.signal(bins), samples) < 1e-6)
  }

  @Test("spans inside other memory work")
  func unaligned() throws {
    let fft = try MoFFT(size: 512)
    let samples = noise(513)
    var bins = [Complex](repeating: Complex(9), count: 259)
    let scratch = fft.makeScratch()
    bins.withUnsafeMutableBufferPointer { all in
      var inner = UnsafeMutableBufferPointer(rebasing: all[1..<258]).mutableSpan
      fft.forward(samples.span.extracting(1..<513), into: &inner, scratch: scratch)
    }
    #expect(bins[0] == Complex(9) && bins[258] == Complex(9))
    #expect(Array(bins[1..<258]) == fft.spectrum(Array(samples[1...])))
  }

  @Test("many threads can share a plan")
  func threads() async throws {
    let fft = try MoFFT(size: 4096)
    let samples = noise(4096)
    let expected = fft.spectrum(samples)
    await withTaskGroup(of: Bool.self) { group in
      for _ in 0..<8 {
        group.addTask { (0..<50).allSatisfy { _ in fft.spectrum(samples) == expected } }
      }
      for await isSame in group { #expect(isSame) }
    }
  }

  @Test("a scratch serves smaller plans")
  func scratch() throws {
    let (large, small) = (try MoFFT(size: 1024), try MoFFT(size: 64))
    let scratch = large.makeScratch()
    var bins = small.makeBins()
    small.forward(noise(64), into: &bins, scratch: scratch)
    #expect(bins == small.spectrum(noise(64)))
  }
}
