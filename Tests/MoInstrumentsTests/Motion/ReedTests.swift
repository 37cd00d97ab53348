import MoDSP
import MoInstruments
import MoTesting
import Testing

@Suite("Reed")
struct ReedTests {
  @Test(
    "is in tune within 3 cents, at any breath", arguments: [82.41, 146.83, 261.63, 523.25, 1046.5, 1318.5],
    [0.2, 0.6, 1] as [Float])
  func pitch(frequency: Double, breath: Float) throws {
    var reed = Reed(frequency: frequency, seed: 5)
    let samples = sound(of: &reed, 48_000, breath)
    let cents = try #require(Frequency.cents(samples, from: 21_600, near: frequency, sampleRate: 48_000))
    #expect(abs(cents) < 3)
  }

  @Test("is silent without breath, and louder and brighter with more")
  func breath() {
    var silent = Reed(seed: 5)
    #expect(AudioMeasures.peak(sound(of: &silent, 4800, 0)) == 0)
    func blow(_ breath: Float) -> (level: Double, slope: Double) {
      var reed = Reed(frequency: 220, seed: 5)
      let samples = Array(sound(of: &reed, 48_000, breath).suffix(9600))
      return Curve.tone(samples)
    }
    let breaths = ([0.15, 0.35, 0.7, 1] as [Float]).map(blow)
    for (soft, hard) in zip(breaths, breaths.dropFirst()) {
      #expect(hard.level > 1.15 * soft.level)
      #expect(hard.slope > soft.slope)
    }
  }

  @Test("odd partials dominate, as in a pipe that is closed at one end")
  func partials() {
    var reed = Reed(frequency: 200, seed: 5)
    let samples = Array(sound(of: &reed, 48_000, 0.5).suffix(24_000))
    let third = Loudest.size(samples, 600.0 / 48_000)
    #expect(third > 3 * Loudest.size(samples, 400.0 / 48_000))
    #expect(Loudest.size(samples, 200.0 / 48_000) > third)
  }

  @Test("speaks within 0.2 s, and is exactly silent 0.6 s after the breath", arguments: [82.41, 440, 1046.5])
  func speaking(frequency: Double) {
    var reed = Reed(frequency: frequency, seed: 5)
    let samples = sound(of: &reed, 48_000, 0.5)
    #expect(samples[0] != 0)
    #expect(AudioMeasures.rms(samples[9600..<12_000]) > 0.7 * AudioMeasures.rms(samples.suffix(2400)))
    _ = sound(of: &reed, 28_800, 0)
    #expect(!reed.isSounding && reed.tick(0) == 0)
  }

  @Test("glides and leaps without a click or a DC offset")
  func moving() {
    var high = Reed(frequency: 880, seed: 5)
    let alone = Curve.bend(sound(of: &high, 48_000, 0.8))
    var reed = Reed(frequency: 220, seed: 5)
    var samples = sound(of: &reed, 24_000, 0.8)
    for step in 0..<48_000 {
      reed.set(frequency: 220 + 660 * Double(step) / 48_000, brightness: 0.5)
      samples.append(reed.tick(0.8))
    }
    for frequency in [220.0, 880, 330, 700] {
      reed.leap(to: frequency)
      samples += sound(of: &reed, 12_000, 0.8)
    }
    #expect(Curve.bend(samples) < 1.5 * alone)
    #expect(AudioMeasures.peak(samples) < 0.7)
    #expect(abs(samples.reduce(0.0) { $0 + Double($1) }) / Double(samples.count) < 1e-4)
  }

  @Test("a leap during a leap does not click, and the last of several leaps wins")
  func leaps() {
    var high = Reed(frequency: 880, seed: 5)
    let alone = Curve.bend(sound(of: &high, 48_000, 0.8))
    var reed = Reed(frequency: 220, seed: 5)
    var samples = sound(of: &reed, 24_000, 0.8)
    for (index, frequency) in [880.0, 200, 700, 233, 620, 880, 210, 440].enumerated() {
      reed.leap(to: frequency)
      #expect(reed.frequency == frequency)
      // A leap fades for 288 samples.
      samples += sound(of: &reed, 40 + 31 * index, 0.8)
    }
    #expect(Curve.bend(samples) < 1.5 * alone)
    samples = sound(of: &reed, 24_000, 0.8)
    let end = samples[12_000...]
    let found = AudioMeasures.strongest(near: 440, in: end, sampleRate: 48_000)
    #expect(abs(AudioMeasures.cents(found, above: 440)) < 10)
  }

  @Test("invalid values stay finite and within ±0.7, and a seed always gives the same sound")
  func nonsense() {
    for value in [-1, 0, 1e9, .infinity, .nan] {
      var reed = Reed(frequency: value, brightness: Float(value), seed: 5)
      for breath in [1, Float(value), 0.5] {
        let samples = sound(of: &reed, 9600, breath)
        #expect(AudioMeasures.isFinite(samples) && AudioMeasures.peak(samples) < 0.7)
      }
    }
    var (one, other) = (Reed(seed: 7), Reed(seed: 7))
    #expect(sound(of: &one, 4800, 0.7) == sound(of: &other, 4800, 0.7))
  }

  private func sound(of reed: inout Reed, _ count: Int, _ breath: Float) -> [Float] {
    (0..<count).map { _ in reed.tick(breath) }
  }
}
