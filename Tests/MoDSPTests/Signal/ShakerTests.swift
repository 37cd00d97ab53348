import Glibc
import MoDSP
import MoTesting
import Testing

@Suite("Shaker")
struct ShakerTests {
  @Test(
    "silent until shaken, exactly silent within 3 s after", arguments: [16_000.0, 44_100, 48_000, 192_000])
  func silence(sampleRate: Double) {
    var shaker = Shaker(sampleRate: sampleRate, seed: 1)
    let second = Int(sampleRate)
    #expect(AudioMeasures.peak(render(second) { shaker.tick(0) }) == 0)
    #expect(AudioMeasures.rms(render(second) { shaker.tick(1) }) > 0.01)
    _ = render(3 * second) { shaker.tick(0) }
    #expect(AudioMeasures.peak(render(second) { shaker.tick(0) }) == 0)
  }

  @Test("the energy decays exponentially: so does the sound, by the same factor in equal times")
  func decay() {
    // The mean of many shakers, since one is noise.
    var power = [Double](repeating: 0, count: 6)
    for seed in 0..<40 as Range<UInt64> {
      var shaker = Shaker(seed: seed)
      _ = render(24_000) { shaker.tick(1) }
      for window in power.indices {
        let level = AudioMeasures.rms(render(2400) { shaker.tick(0) })
        power[window] += level * level
      }
    }
    // Energy is proportional to power and falls to 1/e in 80 ms: windows of 50 ms differ by e^(−5/8).
    for window in 1..<power.count {
      #expect(abs(log(power[window] / power[window - 1]) - -0.625) < 0.06)
    }
  }

  @Test("power follows energy; a wilder shake is a louder one")
  func loudness() {
    func level(_ energy: Float) -> Double {
      var shaker = Shaker(seed: 3)
      _ = render(48_000) { shaker.tick(energy) }
      return AudioMeasures.rms(render(96_000) { shaker.tick(energy) })
    }
    #expect(abs(level(1) / level(0.25) - 2) < 0.1)
  }

  @Test("as loud at any sample rate, within 2 dB", arguments: [44_100.0, 96_000, 192_000])
  func rates(sampleRate: Double) {
    var (here, there) = (Shaker(seed: 3), Shaker(seed: 3))
    there.prepare(sampleRate: sampleRate)
    let near = AudioMeasures.rms(render(96_000) { here.tick(1) })
    let far = AudioMeasures.rms(render(Int(2 * sampleRate)) { there.tick(1) })
    #expect(abs(20 * log10(near / far)) < 2)
  }

  @Test("energies that make no sense: finite and bounded", arguments: [-1, 5, .infinity, .nan] as [Float])
  func nonsense(energy: Float) {
    var shaker = Shaker(seed: 1)
    let samples = render(48_000) { shaker.tick(energy) }
    #expect(AudioMeasures.isFinite(samples))
    #expect(AudioMeasures.peak(samples) <= 0.35)
    #expect((AudioMeasures.peak(samples) > 0) == (energy > 0))
  }
}
