import MoDSP
import MoInstruments
import MoTesting
import Testing

@Suite("Tine")
struct TineTests {
  @Test("is in tune within 3 cents, at any modulator ratio", arguments: [55.0, 220, 880, 2093], [1.0, 3])
  func pitch(frequency: Double, ratio: Double) throws {
    var tine = Tine(ratio: ratio)
    tine.strike(frequency, force: 0.8, brightness: 0.7, decay: 3)
    let samples = sound(of: &tine, 48_000)
    let cents = try #require(Frequency.cents(samples, from: 480, near: frequency, sampleRate: 48_000))
    #expect(abs(cents) < 3)
  }

  @Test("a strike whose decay is NaN counts as the shortest, and later strikes sound")
  func badDecay() {
    var tine = Tine()
    tine.strike(440, force: 1, brightness: 0.5, decay: .nan)
    #expect(sound(of: &tine, 480).allSatisfy { $0.isFinite })
    tine.strike(440, force: 1, brightness: 0.5, decay: 1)
    #expect(AudioMeasures.peak(sound(of: &tine, 4800)) > 0.1)
  }

  @Test("harder is louder, brightness is brighter, and it ends exactly when damped")
  func stroke() {
    func strike(_ force: Float, _ brightness: Float) -> (level: Double, slope: Double) {
      var tine = Tine()
      tine.strike(330, force: force, brightness: brightness, decay: 1)
      let samples = sound(of: &tine, 4800)
      return Curve.tone(samples)
    }
    #expect(strike(1, 0.5).level > 1.5 * strike(0.5, 0.5).level)
    #expect(strike(0.5, 1).slope > 1.3 * strike(0.5, 0).slope)
    var tine = Tine()
    tine.strike(330, force: 1, brightness: 1, decay: 0.5)
    #expect(AudioMeasures.peak(sound(of: &tine, 40_800)) < 0.6)
    #expect(!tine.isSounding && tine.tick() == 0)
    tine.strike(330, force: .nan, brightness: .nan, decay: .nan)
    #expect(AudioMeasures.isFinite(sound(of: &tine, 4800)))
  }

  private func sound(of tine: inout Tine, _ count: Int) -> [Float] { (0..<count).map { _ in tine.tick() } }
}
