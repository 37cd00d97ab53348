import MoCore
import MoDSP
import MoInstruments
import MoTesting
import Testing

@Suite("Arpeggio")
struct ArpeggioTests {
  @Test("plays at its own tempo, to the frame, while no rhythm runs")
  func ownTime() throws {
    var render = try InstrumentRender("arpeggio")
    render.set("tempo", to: 120, at: 0)
    render.set("decay", to: 0.1, at: 0)
    render.note(60, velocity: 0.2, from: 1000)
    let take = try render.take(seconds: 2.2)
    // Held softly, only the beats sound: half a second each.
    for beat in 0..<4 {
      let frame = 1000 + beat * 24_000
      #expect(take.bend(frame..<frame + 48) > 1e-4)
      #expect(take.level(frame - 480..<frame) < -80)
      #expect(take.left[frame] != 0 || take.left[frame + 1] != 0)
    }
  }

  @Test("begins with the key's pitch, within 3 cents", arguments: [48, 60.5, 72, 84] as [Float])
  func pitch(note: Float) throws {
    var render = try InstrumentRender("arpeggio")
    render.set("tempo", to: 40, at: 0)
    render.note(note, velocity: 0.2, from: 0)
    let hertz = MoFun.midiToHz(Double(note))
    let cents = Frequency.cents(
      try render.take(seconds: 1.3).left, from: 480, near: hertz, sampleRate: InstrumentRender.sampleRate)
    #expect(abs(try #require(cents)) < 3)
  }

  @Test("plays only on the lines of a running rhythm")
  func rhythm() throws {
    var render = try InstrumentRender("arpeggio")
    render.set("decay", to: 0.1, at: 0)
    render.send(.rhythm(isRunning: true), at: 0)
    render.note(60, velocity: 0.2, from: 3000)
    // 97 beats per minute, which is not its own tempo.
    let sixteenth = 15.0 / 97 * 48_000
    for line in 0..<12 {
      let (beat, frame) = (Double(line) / 4, 6000 + Int((Double(line) * sixteenth).rounded()))
      let grid = GridLine(
        beat: beat, position: BarPosition(bar: 1, beat: beat, meter: .common), tempo: 97,
        length: sixteenth / 48_000)
      render.send(.line(grid), at: frame)
    }
    let take = try render.take(seconds: 2)
    #expect(try #require(take.onset) - 6000 <= 1 && take.onset ?? 0 >= 6000)
    for line in [4, 8] {
      let frame = 6000 + Int((Double(line) * sixteenth).rounded())
      #expect(take.level(frame - 480..<frame) < -80)
      #expect(take.bend(frame..<frame + 48) > 1e-4)
    }
  }

  @Test("in 6/8, two of the bar's sixteenths make a beat")
  func compound() throws {
    var render = try InstrumentRender("arpeggio")
    render.set("decay", to: 0.1, at: 0)
    render.send(.rhythm(isRunning: true), at: 0)
    render.note(60, velocity: 0.2, from: 3000)
    for line in 0..<12 {
      let beat = Double(line) / 2
      let grid = GridLine(
        beat: beat, position: BarPosition(bar: 1, beat: beat, meter: Meter(6, 8) ?? .common), tempo: 194,
        length: 0.15)
      render.send(.line(grid), at: 6000 + 7200 * line)
    }
    let take = try render.take(seconds: 2)
    // Held softly, every fourth sixteenth sounds.
    for line in 0..<12 {
      let frame = 6000 + 7200 * line
      #expect((take.bend(frame..<frame + 48) > 1e-4) == (line % 4 == 0), "line \(line)")
    }
  }

  @Test("fully wound, its DC offset is below −80 dB", arguments: [0, 0.4, 1] as [Float])
  func constantPart(brightness: Float) throws {
    var render = try InstrumentRender("arpeggio")
    render.set("wind", to: 1, at: 0)
    render.set("brightness", to: brightness, at: 0)
    let take = try render.take(seconds: 4)
    for side in [take.left, take.right] {
      #expect(abs(side.reduce(0.0) { $0 + Double($1) }) / Double(side.count) < 1e-4)
    }
  }

  @Test("ringing notes bend too")
  func bend() throws {
    var render = try InstrumentRender("arpeggio")
    render.set("tempo", to: 40, at: 0)
    render.set("decay", to: 4, at: 0)
    render.note(60, velocity: 0.2, from: 0)
    render.send(.bend(7), at: 4800)
    let sound = try render.take(seconds: 1).left
    let cents = Frequency.cents(
      Array(sound[4800...]), from: 960, near: MoFun.midiToHz(67), sampleRate: InstrumentRender.sampleRate)
    #expect(abs(try #require(cents)) < 3)
  }

  @Test("more movement plays more and louder notes, tilt raises them, and without movement it runs down")
  func movement() throws {
    func onsets(_ g: Double) throws -> (count: Int, take: Take) {
      let tape = Tape.shaken(4, by: g, until: 3)
      let take = try InstrumentRender.take("arpeggio", tape, seconds: 9, set: ["decay": 0.1])
      // A note begins if 5 ms are four times as loud as the 5 ms before.
      let levels = (0..<600).map { take.level($0 * 240..<($0 + 1) * 240) }
      let count = zip(levels, levels.dropFirst()).count { $1 > $0 + 12 && $1 > -70 }
      return (count, take)
    }
    let (little, much) = try (onsets(0.35), onsets(2.5))
    #expect(little.count >= 2)
    #expect(Double(much.count) > 1.5 * Double(little.count))
    #expect(much.take.peak > 1.3 * little.take.peak)
    #expect(much.take.end < 48_000 * 9)
    let lifted = try InstrumentRender.take("arpeggio", .shaken(3, by: 1, roll: 29), seconds: 1)
    let level = try InstrumentRender.take("arpeggio", .shaken(3, by: 1), seconds: 1)
    let (high, low) = (
      lifted.pitch(26_000..<32_000, within: 100...900), level.pitch(26_000..<32_000, within: 100...900)
    )
    #expect(try #require(high) > 1.3 * #require(low))
  }

  @Test("a single switch winds it up for a bar")
  func strike() throws {
    var render = try InstrumentRender("arpeggio")
    render.send(.strike(0.5), at: 100)
    let take = try render.take(seconds: 10)
    #expect(take.level(48_000..<72_000) > -50)
    #expect(take.end < 48_000 * 9)
  }
}
