import MoDSP
import MoInstruments
import Testing

@Suite("Float values in the voices of the instruments")
struct FloatValuesTests {
  private let pitch: Float = 311.127
  private let decay: Float = 0.73

  @Test("a bar from Float values sounds the same as a bar from Double values")
  func bar() {
    let exact = sound(Bar()) { $0.set(.glass, frequency: Double(pitch), decay: Double(decay)) }
    #expect(sound(Bar()) { $0.set(.glass, frequency: pitch, decay: decay) } == exact)
    #expect(sound(Bar()) { $0.set(.glass, frequency: Double(pitch), decay: decay) } == exact)

    func sound(_ bar: Bar, _ set: (inout Bar) -> Void) -> [Float] {
      var bar = bar
      set(&bar)
      bar.strike(0.8)
      return (0..<480).map { _ in bar.tick() }
    }
  }

  @Test("a reed at a Float frequency sounds the same as a reed at a Double frequency")
  func reed() {
    let exact = sound {
      $0.set(frequency: Double(pitch), brightness: 0.3)
    } leap: {
      $0.leap(to: Double(2 * pitch))
    }
    let single = sound {
      $0.set(frequency: pitch, brightness: 0.3)
    } leap: {
      $0.leap(to: 2 * pitch)
    }
    #expect(single == exact)

    func sound(_ set: (inout Reed) -> Void, leap: (inout Reed) -> Void) -> [Float] {
      var reed = Reed(seed: 1)
      set(&reed)
      let first = (0..<2400).map { _ in reed.tick(0.8) }
      leap(&reed)
      return first + (0..<2400).map { _ in reed.tick(0.8) }
    }
  }

  @Test("a tine from Float values sounds the same as a tine from Double values")
  func tine() {
    let exact = sound {
      $0.strike(Double(pitch), force: 0.8, brightness: 0.5, decay: Double(decay))
    } change: {
      $0.tune(Double(2 * pitch))
      $0.damp(within: Double(decay))
    }
    let single = sound {
      $0.strike(pitch, force: 0.8, brightness: 0.5, decay: decay)
    } change: {
      $0.tune(2 * pitch)
      $0.damp(within: decay)
    }
    let mixed = sound {
      $0.strike(Double(pitch), force: 0.8, brightness: 0.5, decay: decay)
    } change: {
      $0.tune(2 * pitch)
      $0.damp(within: decay)
    }
    #expect(single == exact && mixed == exact)

    func sound(_ strike: (inout Tine) -> Void, change: (inout Tine) -> Void) -> [Float] {
      var tine = Tine()
      strike(&tine)
      let first = (0..<480).map { _ in tine.tick() }
      change(&tine)
      return first + (0..<480).map { _ in tine.tick() }
    }
  }

  @Test("a string from Float values sounds the same as a string from Double values")
  func string() {
    let exact = sound {
      $0.frequency = Double(pitch)
      $0.set(decay: Double(decay), brightness: 0.5, place: 0.25)
    }
    let single = sound {
      $0.frequency = pitch
      $0.set(decay: decay, brightness: 0.5, place: 0.25)
    }
    #expect(single == exact)

    func sound(_ set: (inout PluckedString) -> Void) -> [Float] {
      var string = PluckedString(seed: 1)
      set(&string)
      string.pluck(0.8)
      return (0..<2400).map { _ in string.tick() }
    }
  }
}
