import MoDSP
import MoInstruments
import MoTesting
import Testing

@Suite("Bar")
struct BarTests {
  static let materials: [BarMaterial] = [.rosewood, .aluminium, .glass, .steel]

  @Test("a material without any mode is silent")
  func noModes() {
    let nothing = BarMaterial(ratios: SIMD4(1, 3, 6, 10), levels: .zero, seconds: 1, loss: 1)
    var bar = Bar(nothing, frequency: 440)
    bar.strike(0.8)
    #expect(sound(of: &bar, 4800).allSatisfy { $0 == 0 })
  }

  @Test("is in tune within 3 cents", arguments: 0..<4, [65.41, 130.8, 440, 1046.5, 2093])
  func pitch(material: Int, frequency: Double) throws {
    var bar = Bar(Self.materials[material], frequency: frequency)
    bar.strike(0.8)
    let samples = sound(of: &bar, 48_000)
    let cents = try #require(Frequency.cents(samples, from: 480, near: frequency, sampleRate: 48_000))
    #expect(abs(cents) < 3)
  }

  // Published ratios: Fletcher and Rossing (marimba), Essl and Cook (tuned bar, wine glass), Kinsler (free
  // bar).
  @Test(
    "the second mode has the ratio measured on real instruments",
    arguments: [(0, 3.9), (1, 4.0198), (2, 2.32), (3, 2.756)])
  func modes(material: Int, ratio: Double) throws {
    var bar = Bar(Self.materials[material], frequency: 300, hardness: 1)
    bar.strike(1)
    let found = Loudest.pitch(
      sound(of: &bar, 9600), sampleRate: 48_000, within: 300 * ratio * 0.9...300 * ratio * 1.1)
    #expect(abs(try #require(found) / (300 * ratio) - 1) < 0.003)
  }

  @Test("metal rings longer than wood, and low bars longer than high ones")
  func decay() {
    func seconds(_ material: BarMaterial, _ frequency: Double) -> Double {
      var bar = Bar(material, frequency: frequency)
      bar.strike(0.8)
      var count = 0
      while bar.isSounding && count < 1_000_000 {
        _ = bar.tick()
        count += 1
      }
      return Double(count) / 48_000
    }
    #expect(seconds(.aluminium, 440) > 3 * seconds(.rosewood, 440))
    #expect(seconds(.rosewood, 110) > 1.5 * seconds(.rosewood, 440))
    #expect(seconds(.rosewood, 440) < 1.7 * 1.1)
  }

  @Test("a harder stroke is louder and brighter, a harder mallet brighter")
  func force() {
    func stroke(_ force: Float, hardness: Double = 0.5) -> (level: Double, slope: Double) {
      var bar = Bar(frequency: 330, hardness: hardness)
      bar.strike(force)
      let samples = sound(of: &bar, 4800)
      return Curve.tone(samples)
    }
    let strokes = ([0.1, 0.4, 0.7, 1] as [Float]).map { stroke($0) }
    for (soft, hard) in zip(strokes, strokes.dropFirst()) {
      #expect(hard.level > 1.2 * soft.level)
      #expect(hard.slope > soft.slope)
    }
    #expect(stroke(0.5, hardness: 1).slope > 1.2 * stroke(0.5, hardness: 0).slope)
  }

  @Test("a stroke on a ringing bar adds no click")
  func retrigger() {
    var fresh = Bar(frequency: 500)
    fresh.strike(1)
    let alone = Curve.bend(sound(of: &fresh, 2400))
    for delay in stride(from: 1, to: 2000, by: 61) {
      var bar = Bar(frequency: 500)
      bar.strike(1)
      let before = sound(of: &bar, delay)
      bar.strike(1)
      #expect(Curve.bend(before + sound(of: &bar, 2400)) < 2.1 * alone)
    }
  }

  @Test("add matches tick to the bit, damping silences, and invalid values stay within ±0.9")
  func rest() {
    var one = Bar(.steel, frequency: 700)
    var other = one
    one.strike(0.6)
    other.strike(0.6)
    var samples = [Float](repeating: 0, count: 5000)
    var block = samples.mutableSpan
    other.add(to: &block)
    #expect(samples == sound(of: &one, 5000))
    one.damp()
    _ = sound(of: &one, 9600)
    #expect(!one.isSounding && one.tick() == 0)
    for value in [-1, 0, 1e9, .infinity, .nan] {
      one.set(.glass, frequency: value, decay: value)
      (one.hardness, one.place) = (value, value)
      one.strike(Float(value))
      one.strike(1)
      let samples = sound(of: &one, 4800)
      #expect(AudioMeasures.isFinite(samples) && AudioMeasures.peak(samples) < 0.9)
    }
  }

  private func sound(of bar: inout Bar, _ count: Int) -> [Float] { (0..<count).map { _ in bar.tick() } }
}
