import Glibc
import MoDSP
import Testing

@Suite("Short-time Fourier transform")
struct STFTTests {
  @Test(
    "without a change, the output is the input to −120 dB, delayed by its size",
    arguments: FFTWindow.allCases, [(64, 32), (64, 16), (256, 100), (1024, 256), (4096, 64)])
  func reconstruction(window: FFTWindow, shape: (size: Int, hop: Int)) throws {
    let stft = try STFT(size: shape.size, hop: shape.hop, window: window)
    let signal = noise(5 * shape.size)
    let output = signal.map { stft.tick($0) { _ in } }
    #expect(stft.latency == shape.size)
    #expect(norm(output[..<shape.size]) < 1e-6 * norm(signal))
    let late = Array(output[shape.size...])
    #expect(20 * log10(distance(late, Array(signal[..<late.count]))) < -120)
  }

  @Test("blocks of any length equal single samples")
  func blocks() throws {
    let signal = noise(3000)
    let single = try STFT(size: 128)
    let expected = signal.map { single.tick($0) { bins in bins[5] *= 2 } }
    for length in [1, 64, 512, 3000] {
      let stft = try STFT(size: 128)
      var output = signal
      output.withUnsafeMutableBufferPointer { all in
        for start in stride(from: 0, to: 3000, by: length) {
          var block = UnsafeMutableBufferPointer(rebasing: all[start..<min(start + length, 3000)]).mutableSpan
          stft.process(&block) { bins in bins[5] *= 2 }
        }
      }
      #expect(output == expected)
    }
  }

  @Test("a gain on every bin is a gain, and a gain of 0 is silence")
  func gains() throws {
    let (half, none) = (try STFT(size: 256), try STFT(size: 256))
    let signal = noise(2000)
    let output = signal.map { half.tick($0) { bins in for k in bins.indices { bins[k] *= 0.5 } } }
    #expect(distance(output[256...].map { 2 * $0 }, Array(signal[..<1744])) < 1e-6)
    #expect(signal.allSatisfy { none.tick($0) { bins in for k in bins.indices { bins[k] *= 0 } } == 0 })
  }

  @Test("removing a bin removes its sine and keeps another")
  func filter() throws {
    let stft = try STFT(size: 512)
    func sine(_ bin: Double, _ count: Int) -> [Float] {
      (0..<count).map { Float(sin(2 * .pi * bin * Double($0) / 512)) }
    }
    let mix = zip(sine(20, 6000), sine(60, 6000)).map { $0 + $1 }
    let output = mix.map { stft.tick($0) { bins in for k in 15...25 { bins[k] *= 0 } } }
    let late = Array(output[1536...])
    #expect(distance(late, Array(sine(60, 6000)[1024..<1024 + late.count])) < 1e-4)
  }

  @Test("clear removes the past sound")
  func clear() throws {
    let stft = try STFT(size: 64)
    let first = noise(200).map { stft.tick($0) { _ in } }
    stft.clear()
    #expect(noise(200).map { stft.tick($0) { _ in } } == first)
  }
}
