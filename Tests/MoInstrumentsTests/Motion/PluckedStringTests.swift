import MoDSP
import MoInstruments
import MoTesting
import Testing

@Suite("PluckedString")
struct PluckedStringTests {
  @Test(
    "is in tune within 3 cents from the lowest piano string to near the highest, at any rate",
    arguments: [27.5, 41.2, 82.41, 220, 440, 987.77, 1760, 3520], [44_100.0, 48_000, 96_000])
  func pitch(frequency: Double, sampleRate: Double) throws {
    var string = PluckedString(frequency: frequency, sampleRate: sampleRate, seed: 5)
    string.pluck(0.7)
    let samples = sound(of: &string, Int(2.2 * sampleRate))
    let cents = try #require(
      Frequency.cents(samples, from: Int(0.05 * sampleRate), near: frequency, sampleRate: sampleRate))
    #expect(abs(cents) < 3)
  }

  @Test("its overtones are harmonic within 5 cents", arguments: [2.0, 3, 5])
  func overtones(number: Double) throws {
    var string = PluckedString(frequency: 196, seed: 5)
    string.pluck(1)
    let samples = sound(of: &string, 48_000)
    let cents = try #require(
      Frequency.cents(samples, from: 2400, near: 196 * number, sampleRate: 48_000))
    #expect(abs(cents) < 5)
  }

  @Test("the lowest partial falls by 60 dB in the time set by decay", arguments: [0.5, 1, 3])
  func decay(seconds: Double) {
    var string = PluckedString(frequency: 220, decay: seconds, seed: 5)
    string.pluck(0.8)
    let samples = sound(of: &string, 48_000)
    let early = Loudest.size(Array(samples[4800..<9600]), 220.0 / 48_000)
    let late = Loudest.size(Array(samples[28_800..<33_600]), 220.0 / 48_000)
    let fallen = MoFun.decibels(amplitude: early / late)
    #expect(abs(fallen - 60 * 0.5 / seconds) < 0.1 * 60 * 0.5 / seconds)
  }

  @Test("a harder pluck is louder and brighter, and a brighter string is brighter")
  func force() {
    func pluck(_ force: Float, brightness: Double = 0.5) -> (level: Double, slope: Double) {
      var string = PluckedString(frequency: 220, brightness: brightness, seed: 5)
      string.pluck(force)
      let samples = sound(of: &string, 7200)
      return Curve.tone(samples)
    }
    let plucks = ([0.15, 0.4, 0.7, 1] as [Float]).map { pluck($0) }
    for (soft, hard) in zip(plucks, plucks.dropFirst()) {
      #expect(hard.level > 1.2 * soft.level)
      #expect(hard.slope > soft.slope)
    }
    #expect(pluck(0.7, brightness: 1).slope > 1.2 * pluck(0.7, brightness: 0).slope)
  }

  @Test("plucked in the middle it has no even partials, plucked near the end it has")
  func place() {
    func second(_ place: Double) -> Double {
      var string = PluckedString(frequency: 240, place: place, seed: 5)
      string.pluck(1)
      let samples = sound(of: &string, 24_000)
      return Loudest.size(samples, 480.0 / 48_000) / Loudest.size(samples, 240.0 / 48_000)
    }
    #expect(second(0.5) < 0.05 * second(0.1))
  }

  @Test("becomes exactly silent: by itself within twice its decay, damped within half a second")
  func silence() {
    var string = PluckedString(frequency: 110, decay: 1, seed: 5)
    #expect(AudioMeasures.peak(sound(of: &string, 100)) == 0)
    string.pluck(1)
    let samples = sound(of: &string, 120_000)
    #expect(samples[0] != 0)
    #expect(AudioMeasures.peak(samples[96_000...]) == 0)
    #expect(!string.isSounding)
    string.decay = 10
    string.pluck(1)
    _ = sound(of: &string, 4800)
    string.damp()
    _ = sound(of: &string, 24_000)
    #expect(AudioMeasures.peak(sound(of: &string, 4800)) == 0)
    string.pluck(1)
    #expect(AudioMeasures.peak(sound(of: &string, 48_000).suffix(480)) > 1e-3)
  }

  @Test("add matches tick to the bit, for any division into blocks")
  func blocks() {
    var one = PluckedString(frequency: 300, decay: 0.3, seed: 9)
    var other = one
    one.pluck(0.6)
    other.pluck(0.6)
    let ticked = sound(of: &one, 48_000)
    var added: [Float] = []
    for frames in [1, 31, 64, 512, 47_392] {
      var samples = [Float](repeating: 0, count: frames)
      var block = samples.mutableSpan
      other.add(to: &block)
      added += samples
    }
    #expect(ticked == added)
  }

  @Test("stays finite, within ±0.9 and without DC offset for any values")
  func nonsense() {
    for value in [-1, 0, 0.5, 1e9, .infinity, -.infinity, .nan] {
      var string = PluckedString(frequency: value, decay: value, brightness: value, place: value, seed: 5)
      for force in [0.5, Float(value), 1] {
        string.pluck(force)
        let samples = sound(of: &string, 9600)
        #expect(AudioMeasures.isFinite(samples))
        #expect(AudioMeasures.peak(samples) < 0.9)
      }
    }
    var string = PluckedString(frequency: 100, seed: 5)
    string.pluck(1)
    let samples = sound(of: &string, 96_000)
    #expect(abs(samples.reduce(0.0) { $0 + Double($1) }) / 96_000 < 1e-4)
  }

  private func sound(of string: inout PluckedString, _ count: Int) -> [Float] {
    (0..<count).map { _ in string.tick() }
  }
}
