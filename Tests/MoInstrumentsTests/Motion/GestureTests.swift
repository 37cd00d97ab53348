import MoDSP
import MoInstruments
import MoTesting
import Testing

/// Plays each instrument with its own kind of motion, as described in `Docs/Instruments.md`.
@Suite("Gestures")
struct GestureTests {
  static let later = 48_000..<96_000

  @Test("shaker: wilder is louder, brightness works, and the sound ends with the shaking")
  func shaker() throws {
    let soft = try InstrumentRender.take("shaker", .shaken(4, by: 0.7, until: 2.5), seconds: 5)
    let wild = try InstrumentRender.take("shaker", .shaken(4, by: 3, until: 2.5), seconds: 5)
    #expect(soft.level(Self.later) > -60)
    #expect(wild.level(Self.later) > soft.level(Self.later) + 4)
    #expect(wild.end < 48_000 * 5)
    func bright(_ value: Float) throws -> Double {
      let tape = Tape.shaken(3, by: 2)
      return try InstrumentRender.take("shaker", tape, seconds: 2, set: ["brightness": value]).brightness(
        Self.later)
    }
    #expect(try bright(1) > 1.3 * bright(0))
  }

  @Test("shaker: stops if the sensor falls silent, but keeps values that were set by hand")
  func shakerLetGo() throws {
    // The last reading comes at 1.47 s and is wild.
    let torn = try InstrumentRender.take("shaker", .shaken(1.48, by: 3), seconds: 5)
    #expect(torn.level(60_000..<70_000) > -60)
    #expect(torn.end < 48_000 * 4)
    var render = try InstrumentRender("shaker")
    Tape.shaken(1.48, by: 3).play(to: &render)
    render.set("shake", to: 0.6, at: 48_000 * 3)
    #expect(try render.take(seconds: 5).level(48_000 * 4..<48_000 * 5) > -60)
  }

  @Test("bars: each tap strikes, tipping to the right selects a higher bar, the material its colour")
  func bars() throws {
    // A knock of 40 ms every half second, from rest.
    func taps(roll: Double, g: Double = 2) -> Tape {
      Tape(seconds: 3) { time in
        let since = (time - 0.5).truncatingRemainder(dividingBy: 0.5)
        return Tape.Pose(roll: roll, shake: time > 0.5 && since < 0.04 ? g : 0)
      }
    }
    let flat = try InstrumentRender.take("bars", taps(roll: 0), seconds: 3)
    let tilted = try InstrumentRender.take("bars", taps(roll: 34), seconds: 3)
    let (low, high) = (
      flat.pitch(Self.later, within: 150...1200), tilted.pitch(Self.later, within: 150...1200)
    )
    #expect(try #require(high) > 1.4 * #require(low))
    let soft = try InstrumentRender.take("bars", taps(roll: 0, g: 0.6), seconds: 3)
    #expect(flat.peak > 1.2 * soft.peak)
    let steel = try InstrumentRender.take("bars", taps(roll: 0), seconds: 3, set: ["material": 3])
    #expect(steel.brightness(Self.later) > 1.1 * flat.brightness(Self.later))
    #expect(try InstrumentRender.take("bars", .held(2, roll: 29), seconds: 2).peak == 0)
  }

  @Test("harp: tipping plucks string after string, higher to the right, and louder when quicker")
  func harp() throws {
    let right = try InstrumentRender.take("harp", .leaning(2, roll: 29), seconds: 2.5)
    let left = try InstrumentRender.take("harp", .leaning(2, roll: -29), seconds: 2.5)
    let high = try #require(right.pitch(96_000..<110_000, within: 80...1500))
    let low = try #require(left.pitch(96_000..<110_000, within: 80...1500))
    #expect(high > 3 * low)
    let onset = try #require(right.onset)
    #expect((24_000..<36_000).contains(onset))
    let slow = Tape(seconds: 4) { Tape.Pose(roll: 8 * max(0, $0 - 0.5)) }
    let quick = Tape(seconds: 4) { Tape.Pose(roll: min(8 * 3, 80 * max(0, $0 - 0.5))) }
    #expect(
      try InstrumentRender.take("harp", quick, seconds: 4).peak > 1.5
        * InstrumentRender.take("harp", slow, seconds: 4).peak)
  }

  @Test("harp: plucks nothing after its last string while the device turns over and lies face down")
  func harpTurnedOver() throws {
    let tape = Tape(seconds: 6) { time in
      let isEven = Int((time * 100).rounded()) % 2 == 0
      return Tape.Pose(roll: time < 3 ? 200 * max(0, min(time - 0.5, 1)) : isEven ? 179.5 : -179.5)
    }
    let take = try InstrumentRender.take("harp", tape, seconds: 6, set: ["decay": 0.2])
    // At 0.175 s after the start of the turn, the tilt passes the last string.
    #expect(take.level(24_000..<48_000) > -60)
    #expect(take.level(72_000..<288_000) < -90)
  }

  @Test("harp: silent when still at any tilt; a key or a switch plucks")
  func harpStill() throws {
    #expect(try InstrumentRender.take("harp", .held(2, roll: 23), seconds: 2).peak == 0)
    var render = try InstrumentRender("harp")
    render.send(.strike(0.5), at: 100)
    #expect(try render.take(seconds: 0.2).onset == 100)
  }

  @Test("reed: movement blows it, tipping to the right plays a higher note, and it ends with the movement")
  func reed() throws {
    let soft = try InstrumentRender.take("reed", .shaken(3, by: 0.5, until: 2.5), seconds: 5)
    let wild = try InstrumentRender.take("reed", .shaken(3, by: 2, until: 2.5), seconds: 5)
    #expect(wild.level(Self.later) > soft.level(Self.later) + 3)
    #expect(wild.brightness(Self.later) > soft.brightness(Self.later))
    #expect(wild.end < 48_000 * 4)
    let tilted = try InstrumentRender.take("reed", .shaken(3, by: 0.8, roll: 29), seconds: 2)
    let flat = try InstrumentRender.take("reed", .shaken(3, by: 0.8), seconds: 2)
    let (high, low) = (tilted.pitch(Self.later, within: 80...1000), flat.pitch(Self.later, within: 80...1000))
    #expect(try #require(high) > 1.4 * #require(low))
    #expect(try InstrumentRender.take("reed", .held(2, roll: 23), seconds: 2).peak == 0)
  }

  @Test(
    "reed and drone: the move of an earlier key that is still down does not change the sound",
    arguments: ["reed", "drone"])
  func earlierKey(name: String) throws {
    var render = try InstrumentRender(name)
    render.send(.noteOn(Note(48, id: 1)), at: 0)
    render.send(.noteOn(Note(60, id: 2)), at: 4800)
    render.send(.noteOff(Note(60, id: 2)), at: 24_000)
    let unmoved = try render.take(seconds: 1)
    for frame in [9600, 36_000] { render.send(.noteMove(Note(48, velocity: 1, id: 1)), at: frame) }
    let isSame = try unmoved == render.take(seconds: 1)
    #expect(isSame && unmoved.peak > 0)
  }

  @Test("reed: a slow sway of ten degrees gives enough breath")
  func smallMovement() throws {
    let sway = Tape(seconds: 3) { Tape.Pose(pitch: 10 * sinOf($0)) }
    #expect(try InstrumentRender.take("reed", sway, seconds: 3).level(Self.later) > -40)
    #expect(try InstrumentRender.take("arpeggio", sway, seconds: 3).level(Self.later) > -50)
  }

  @Test(
    "drone: swells away from rest, brighter with the top up than down, and falls silent at rest")
  func drone() throws {
    func take(_ pitch: Double) throws -> Take {
      try InstrumentRender.take("drone", .leaning(3, pitch: pitch), seconds: 3)
    }
    let (dark, bright, near) = try (take(-34), take(34), take(11))
    let end = 96_000..<144_000
    #expect(bright.brightness(end) > 1.5 * dark.brightness(end))
    #expect(bright.level(end) > near.level(end) + 3)
    let back = Tape(seconds: 4) { Tape.Pose(pitch: max(0, min($0, 1, 2 - $0)) * 34) }
    let took = try InstrumentRender.take("drone", back, seconds: 4)
    #expect(took.peak > 0.02)
    #expect(took.end < 48_000 * 4)
  }

  @Test("drone: its first orientation is its rest")
  func droneRest() throws {
    #expect(try InstrumentRender.take("drone", .held(2, pitch: 40, roll: -23), seconds: 2).peak == 0)
  }
}

private func sinOf(_ seconds: Double) -> Double { Sine.cycle(seconds * 0.5) }

extension Sine {
  /// A sine of the given number of turns, sample by sample.
  fileprivate static func cycle(_ turns: Double) -> Double {
    var sine = Sine(frequency: 0)
    sine.phase = turns - turns.rounded(.down)
    return Double(sine.tick())
  }
}
