import Glibc
import MoDSP
import MoInstruments
import MoTesting
import Testing

@Suite("Piano: pitch")
struct PianoPitchTests {
  /// Equal temperament with A4 at 440 Hz, by definition.
  private func tempered(_ key: Int) -> Double { 440 * exp2(Double(key - 69) / 12) }

  @Test(
    "the lowest partial of each of the 88 keys is within 3 cents of equal temperament", arguments: 21...108)
  func fundamental(key: Int) {
    let sound = PianoTake([(0, .on(Float(key), 0.8))], seconds: 2.2).both
    // The bass needs a long window, and the treble decays quickly.
    let length = key < 45 ? 96_000 : key < 85 ? 24_000 : 6_000
    let found = AudioMeasures.strongest(
      near: tempered(key), in: sound[4_800..<4_800 + length], sampleRate: 48_000)
    #expect(
      abs(AudioMeasures.cents(found, above: tempered(key))) < 3,
      "\(AudioMeasures.cents(found, above: tempered(key)))")
  }

  @Test(
    "the period of the whole sound is within 3 cents of equal temperament",
    arguments: 30...96)
  func period(key: Int) throws {
    let wanted = tempered(key)
    // At this rate, a parabola through three lags is exact enough.
    let sound = PianoTake([(0, .on(Float(key), 0.8))], seconds: 1, sampleRate: 192_000).both
    let length = Int(192_000 * max(0.06, 8 / wanted))
    let found = try #require(
      AudioMeasures.pitch(
        Array(sound[9_600..<9_600 + length]), sampleRate: 192_000, within: wanted * 0.9...wanted * 1.1))
    #expect(
      abs(AudioMeasures.cents(found, above: wanted)) < 3, "\(AudioMeasures.cents(found, above: wanted))")
  }

  @Test("the pitch is the same at other sample rates", arguments: [44_100.0, 96_000.0])
  func rates(rate: Double) {
    let sound = PianoTake([(0, .on(69, 0.8))], seconds: 1, sampleRate: rate).both
    let found = AudioMeasures.strongest(near: 440, in: sound[4_800...], sampleRate: rate)
    #expect(abs(AudioMeasures.cents(found, above: 440)) < 3)
  }

  @Test("stretched, A4 keeps its pitch and octaves are wide, more so towards the ends")
  func stretch() {
    func found(_ key: Int) -> Double {
      let sound = PianoTake(
        [(0, .on(Float(key), 0.8))], seconds: 2.2, piano: Piano(seed: nil, isStretched: true)
      ).both
      let length = key < 45 ? 96_000 : key < 85 ? 24_000 : 6_000
      return AudioMeasures.cents(
        AudioMeasures.strongest(
          near: tempered(key), in: sound[4_800..<4_800 + length], sampleRate: 48_000, cents: 60),
        above: tempered(key))
    }
    #expect(abs(found(69)) < 3)
    let (low, high, highest) = (found(24), found(93), found(105))
    #expect(low < -2 && low > -30, "\(low)")
    #expect(high > 5 && highest > high + 5 && highest < 45, "\(high) \(highest)")
  }

  @Test("partials are sharper than harmonic, more so the higher they are, as on stiff strings")
  func inharmonicity() {
    let sound = PianoTake([(0, .on(48, 0.9))], seconds: 1).both
    func sharp(_ partial: Int) -> Double {
      let harmonic =
        AudioMeasures.strongest(near: tempered(48), in: sound[2_400..<26_400], sampleRate: 48_000)
        * Double(partial)
      return AudioMeasures.cents(
        AudioMeasures.strongest(near: harmonic, in: sound[2_400..<26_400], sampleRate: 48_000),
        above: harmonic)
    }
    // 866 B n² cents, and B is between 5e-5 and 4e-4 there: Rigaud et al. (2013).
    #expect(sharp(10) > 1 && sharp(10) < 35, "\(sharp(10))")
    #expect(sharp(14) > sharp(10) && sharp(20) > sharp(14))
  }
}
