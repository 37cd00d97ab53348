import MoCore
import MoDSP
import MoTesting
import Testing

@Suite("White noise and its seeds", .serialized)
struct NoiseTests {
  @Test("SplitMix64 gives the published values for seed 1234567")
  func published() {
    // From the reference implementation's test vector, as in Rosetta Code's task "Pseudo-random numbers/Splitmix64".
    var noise = Noise(seed: 1_234_567)
    let expected: [UInt64] = [
      6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423,
      4_593_380_528_125_082_431, 16_408_922_859_458_223_821,
    ]
    #expect(expected.map { _ in noise.bits() } == expected)
  }

  @Test("noise is uniform in −1 … 1, with mean 0 and variance 1/3")
  func moments() {
    var noise = Noise(seed: 5)
    let samples = render(1_000_000) { noise.tick() }
    let mean = samples.reduce(0.0) { $0 + Double($1) } / 1e6
    #expect(abs(mean) < 0.003)
    #expect(abs(AudioMeasures.rms(samples) - (1.0 / 3).squareRoot()) < 0.002)
    #expect(AudioMeasures.peak(samples) <= 1)
    #expect(AudioMeasures.peak(samples) > 0.9999)
  }

  @Test("samples are uncorrelated")
  func flat() {
    var noise = Noise(seed: 6)
    let samples = render(200_000) { noise.tick() }
    for lag in 1...32 {
      var product = 0.0
      for index in 0..<samples.count - lag {
        product += Double(samples[index]) * Double(samples[index + lag])
      }
      // A flat spectrum is an autocorrelation of 0; five standard errors.
      #expect(abs(product * 3 / Double(samples.count)) < 5 / Double(samples.count).squareRoot())
    }
  }

  @Test("the same seed repeats the noise, another does not")
  func seeds() {
    var (one, again, other) = (Noise(seed: 1), Noise(seed: 1), Noise(seed: 2))
    let first = render(100) { one.tick() }
    #expect(first == render(100) { again.tick() })
    #expect(first != render(100) { other.tick() })
  }

  @Test("after SeedSource.set, voices created in the same order repeat and differ; nil is random again")
  func seedSource() {
    func threeVoices() -> [[Float]] {
      var (noise, shaker, drum) = (Noise(), Shaker(), Drum())
      drum.strike(1)
      return [
        render(100) { noise.tick() }, render(1000) { shaker.tick(1) }, render(1000) { drum.tick() },
        render(100) { noise.tick() },
      ]
    }
    SeedSource.set(1)
    let first = threeVoices()
    let later = threeVoices()
    SeedSource.set(1)
    #expect(threeVoices() == first)
    SeedSource.set(2)
    #expect(threeVoices() != first)
    SeedSource.set(nil)
    #expect(later != first)
    #expect(threeVoices() != threeVoices())
  }
}
