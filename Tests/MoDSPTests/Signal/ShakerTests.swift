import Glibc
import MoDSP
import MoDSPCore
import MoTesting
import Testing

@Suite("Shaker")
struct ShakerTests {
  @Test(
    "is silent until shaken, and exactly silent within 3 s after",
    arguments: [16_000.0, 44_100, 48_000, 192_000])
  func silence(sampleRate: Double) {
    var shaker = Shaker(sampleRate: sampleRate, seed: 1)
    let second = Int(sampleRate)
    #expect(AudioMeasures.peak(render(second) { shaker.tick(0) }) == 0)
    #expect(AudioMeasures.rms(render(second) { shaker.tick(1) }) > 0.05)
    _ = render(3 * second) { shaker.tick(0) }
    #expect(AudioMeasures.peak(render(second) { shaker.tick(0) }) == 0)
  }

  @Test("decays exponentially, by the same factor in equal times")
  func decay() {
    // The mean of many shakers, as one has only 60 collisions in 50 ms.
    var power = [Double](repeating: 0, count: 6)
    for seed in 0..<600 as Range<UInt64> {
      var shaker = Shaker(seed: seed)
      _ = render(24_000) { shaker.tick(0.2) }
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

  @Test("has the power of its energy, and is louder for a stronger shake")
  func loudness() {
    func level(_ energy: Float) -> Double {
      var shaker = Shaker(seed: 3)
      _ = render(48_000) { shaker.tick(energy) }
      return AudioMeasures.rms(render(96_000) { shaker.tick(energy) })
    }
    // The loudest grains are clipped softly: at full energy that costs up to 1 dB.
    #expect((1.78...2.05).contains(level(1) / level(0.25)))
    #expect(abs(level(0.25) / level(0.0625) - 2) < 0.1)
  }

  @Test("has about −20 dB RMS at full energy", arguments: 1...3 as ClosedRange<UInt64>)
  func level(seed: UInt64) {
    var shaker = Shaker(seed: seed)
    _ = render(24_000) { shaker.tick(1) }
    let level = 20 * log10(AudioMeasures.rms(render(480_000) { shaker.tick(1) }))
    #expect(abs(level + 20) < 1)
  }

  @Test("consists of grains: its kurtosis is well above 3, that of noise", arguments: [0.1, 1])
  func grains(energy: Float) {
    func kurtosis(_ samples: [Float]) -> Double {
      let square = AudioMeasures.rms(samples) * AudioMeasures.rms(samples)
      return samples.reduce(0) { $0 + Double($1 * $1 * $1 * $1) } / Double(samples.count) / (square * square)
    }
    var shaker = Shaker(seed: 5)
    _ = render(24_000) { shaker.tick(energy) }
    #expect(kurtosis(render(480_000) { shaker.tick(energy) }) > 3.8)
  }

  @Test(
    "has 500 to 3,000 strokes of seeds per second, each with its own weight",
    arguments: [16_000.0, 48_000, 192_000])
  func collisions(sampleRate: Double) {
    var shaker = Shaker(sampleRate: sampleRate, seed: 4)
    _ = render(Int(sampleRate)) { shaker.tick(1) }
    var blows: [Float] = []
    for _ in 0..<Int(10 * sampleRate) {
      let before = shaker.level.y * shaker.soundDecay
      _ = shaker.tick(1)
      if shaker.level.y > 1.001 * before { blows.append(shaker.level.y - before) }
    }
    #expect((5000...30_000).contains(blows.count))
    blows.sort()
    #expect(blows[blows.count * 9 / 10] > 1.5 * blows[blows.count / 10])
  }

  @Test("sounds immediately when shaken out of rest", arguments: 1...20 as ClosedRange<UInt64>)
  func atOnce(seed: UInt64) {
    var shaker = Shaker(seed: seed)
    #expect(shaker.tick(0.5) != 0)
  }

  @Test("is equally loud at any sample rate, within 2 dB", arguments: [44_100.0, 96_000, 192_000])
  func rates(sampleRate: Double) {
    var (here, there) = (Shaker(seed: 3), Shaker(seed: 3))
    there.prepare(sampleRate: sampleRate)
    let near = AudioMeasures.rms(render(96_000) { here.tick(1) })
    let far = AudioMeasures.rms(render(Int(2 * sampleRate)) { there.tick(1) })
    #expect(abs(20 * log10(near / far)) < 2)
  }

  @Test("is finite and bounded for invalid energies", arguments: [-1, 5, .infinity, .nan] as [Float])
  func nonsense(energy: Float) {
    var shaker = Shaker(seed: 1)
    let samples = render(48_000) { shaker.tick(energy) }
    #expect(AudioMeasures.isFinite(samples))
    #expect(AudioMeasures.peak(samples) <= 0.39)
    #expect((AudioMeasures.peak(samples) > 0) == (energy > 0))
  }
}
