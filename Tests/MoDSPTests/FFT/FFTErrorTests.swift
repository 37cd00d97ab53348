import MoDSP
import Testing

@Suite("Invalid FFT settings")
struct FFTErrorTests {
  @Test(
    "every size except a power of two from 4 to 65536 is refused, with a valid one suggested",
    arguments: [
      (0, 4), (-8, 4), (2, 4), (1000, 1024), (700, 512), (65535, 65536), (131072, 65536), (Int.max, 65536),
    ])
  func sizes(size: Int, instead: Int) {
    let sentence =
      "the size of an FFT is \(size), but must be a power of two from 4 to 65536, such as \(instead)"
    #expect { try MoFFT(size: size) } throws: { "\($0)" == sentence }
    #expect { try ComplexFFT(size: size) } throws: { "\($0)" == sentence }
    #expect { try STFT(size: size) } throws: { "\($0)" == sentence }
  }

  @Test("frames that do not overlap by half are refused", arguments: [0, -1, 513, 1024])
  func hops(hop: Int) {
    #expect { try STFT(size: 1024, hop: hop) } throws: {
      "\($0)"
        == "frames of 1024 samples every \(hop) do not overlap by half: the hop must be 1 to 512, such as 256"
    }
  }
}
