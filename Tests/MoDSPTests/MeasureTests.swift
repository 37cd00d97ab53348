import Glibc
import MoTesting
import Testing

@Suite("The measuring functions")
struct MeasureTests {
  let sine = (0..<24_000).map { Float(0.5 * sin(2 * .pi * 441.3 * Double($0) / 48_000)) }

  @Test("a sine's root mean square is its peak divided by √2")
  func levels() {
    #expect(abs(AudioMeasures.rms(sine) - 0.5 / 2.0.squareRoot()) < 1e-3)
    #expect(abs(AudioMeasures.peak(sine) - 0.5) < 1e-3)
    #expect(AudioMeasures.rms([Float]()) == 0)
    #expect(!AudioMeasures.isFinite([0, .nan]))
  }

  @Test("the pitch of a sine is measured within a cent, and noise has none")
  func pitch() throws {
    let pitch = try #require(AudioMeasures.pitch(sine, sampleRate: 48_000, within: 50...2000))
    #expect(abs(pitch / 441.3 - 1) < 0.0006)
    var state: UInt32 = 1
    let noise = (0..<24_000).map { _ -> Float in
      state = state &* 1_664_525 &+ 1_013_904_223
      return Float(state >> 8) / 0x1p23 - 1
    }
    #expect(AudioMeasures.pitch(noise, sampleRate: 48_000, within: 50...2000) == nil)
  }
}
