import Glibc
import MoDSP
import MoTime
import Testing

@testable import MoInstruments

/// Playing on the grid: a sixteenth at 120 beats a minute is 6,000 frames, bar 1 begins at frame 4,800.
@Suite("On the grid")
struct GridTests {
  private static let beat = BeatClock.steady(tempo: 120, from: moment(4800))

  /// A probe that is told of no lines by itself, and what it hears: the frame and height of each impulse.
  private func heard(
    _ grid: Quantiser?, isRhythm: Bool = true, block: Int = 256, frames: Int = 40_000,
    _ play: (InstrumentHandle) -> Void
  ) throws -> [(frame: Int, height: Float)] {
    var stage = Stage(blockFrames: block)
    let handle = try stage.bus.add(ImpulseProbe())
    handle.loudness = 1
    handle.grid = grid
    if isRhythm { stage.bus.follow { Self.beat } }
    play(handle)
    return stage.render(frames).left.enumerated().filter { $0.element != 0 }.map { ($0.offset, $0.element) }
  }

  @Test("notes and strokes wait for their line, in blocks of any length", arguments: [1, 64, 100, 512])
  func waits(block: Int) throws {
    let sounds = try heard(Quantiser(grace: 0), block: block) { handle in
      handle.strike(0.5, at: moment(5000))
      handle.strike(0.25, at: moment(10_700))
      handle.noteOn(60, velocity: 0.375, at: moment(10_801))
      handle.strike(0.5, at: moment(22_800))
    }
    #expect(sounds.map(\.frame) == [10_800, 16_800, 22_800])
    #expect(sounds.map(\.height) == [0.75, 0.375, 0.5])
  }

  @Test("nothing waits where no rhythm runs, or where nobody asked")
  func free() throws {
    for (grid, isRhythm) in [(Quantiser(grace: 0), false), (nil, true)] {
      let sounds = try heard(grid, isRhythm: isRhythm) { $0.strike(0.5, at: moment(5000)) }
      #expect(sounds.map(\.frame) == [5000])
    }
  }

  @Test("strength draws it a part of the way, swing puts every second line later, grace lets it be")
  func shades() throws {
    let half = try heard(Quantiser(strength: 0.5, grace: 0)) { $0.strike(0.5, at: moment(6800)) }
    #expect(half.map(\.frame) == [8800])
    // The second sixteenth of a pair at two thirds of it: 8,000 frames after the beat.
    let swung = try heard(Quantiser(swing: 2.0 / 3, grace: 0)) { $0.strike(0.5, at: moment(6800)) }
    #expect(swung.map(\.frame) == [12_800])
    let late = try heard(Quantiser(grace: 0.2)) { handle in
      handle.strike(0.5, at: moment(11_900))
      handle.strike(0.5, at: moment(12_100))
    }
    #expect(late.map(\.frame) == [11_900, 16_800])
  }

  @Test("a note that waits is as long as it was played, and one that is taken back is not heard")
  func lengths() throws {
    let sounds = try heard(Quantiser(grace: 0)) { handle in
      handle.noteOn(60, velocity: 0.5, at: moment(5000))
      handle.noteOff(60, at: moment(7000))
      handle.noteOn(62, velocity: 0.5, at: moment(17_000))
      handle.allNotesOff(at: moment(18_000))
    }
    #expect(sounds.map(\.frame) == [10_800, 12_800])
    #expect(sounds[1].height == -0.25)
  }

  @Test("an end that comes after the rhythm has stopped still waits for its note")
  func stopped() throws {
    var stage = Stage()
    let handle = try stage.bus.add(ImpulseProbe())
    handle.loudness = 1
    handle.grid = Quantiser(grace: 0)
    stage.bus.follow { Self.beat }
    handle.noteOn(60, velocity: 0.5, at: moment(5000))
    _ = stage.render(6144)
    stage.bus.follow(nil)
    handle.noteOff(60, at: moment(6500))
    let sounds = stage.render(10_000).left.enumerated().filter { $0.element != 0 }.map { $0.offset + 6144 }
    #expect(sounds == [10_800, 12_300])
  }

  @Test(
    "a movement begins to sound on a line: at once without a rhythm, and not before the line with one",
    arguments: ["harp", "reed", "drone", "shaker", "bars", "piano"])
  func movement(name: String) throws {
    func onset(_ isRhythm: Bool, _ begin: Double) throws -> Int {
      var stage = Stage()
      let handle = try Instruments.named(name).add(to: stage.bus, seed: 1)
      handle.grid = Quantiser(grace: 0)
      if isRhythm { stage.bus.follow { Self.beat } }
      // Held still, then tilted and shaken from the moment on, a hundred readings a second.
      for step in 0..<200 {
        let time = moment(Double(step) * 480)
        let isMoved = Double(step) * 480 >= begin
        let tilt = Motion.Tilt(roll: isMoved ? 34 : 0)
        var motion = Motion(time: time, x: tilt.up.x, y: tilt.up.y, z: tilt.up.z, tilt: tilt)
        motion.activity = isMoved ? 0.6 : 0
        motion.jerk = isMoved && Double(step - 1) * 480 < begin ? 0.8 : nil
        handle.move(motion)
      }
      return stage.render(90_000).left.firstIndex { abs($0) > 0 } ?? -1
    }
    // Some instruments speak a little after their beginning: as late as they do without a rhythm.
    let free = try onset(false, 24_000)
    #expect((24_000..<24_600).contains(free))
    let drawn = try onset(true, 24_000)
    // The line at 28,800.
    #expect((28_800..<28_800 + 600).contains(drawn))
  }

  @Test("a reed that is blown changes its note on a line")
  func slides() throws {
    var stage = Stage()
    let handle = try Instruments.named("reed").add(to: stage.bus, seed: 1)
    handle.grid = Quantiser(grace: 0)
    stage.bus.follow { Self.beat }
    for step in 0..<200 {
      var motion = Motion(time: moment(Double(step) * 480), x: 0, y: 0, z: 1)
      motion.tilt = Motion.Tilt(pitch: 0, roll: step < 150 ? 0 : 23)
      motion.activity = 0.6
      handle.move(motion)
    }
    // Tilted at 72,000; the next line is at 76,800.
    let sound = stage.render(96_000).left
    func crossings(_ frames: Range<Int>) -> Int {
      frames.reduce(0) { $0 + (sound[$1 - 1] < 0 && sound[$1] >= 0 ? 1 : 0) }
    }
    let before = crossings(67_000..<71_800)
    #expect(abs(crossings(72_000..<76_800) - before) <= 1)
    #expect(crossings(84_000..<88_800) > before + 4)
  }

  @Test("is typed as a note and what else is wanted, or it is said what cannot be read")
  func text() throws {
    #expect(try Quantiser("16") == Quantiser())
    #expect(try Quantiser("12,swing=0.5") == Quantiser(stepsPerBeat: 3, swing: 0.5))
    #expect(
      try Quantiser("8,strength=0.25,grace=0") == Quantiser(stepsPerBeat: 2, strength: 0.25, grace: 0))
    for (text, word) in [
      ("", ""), ("5", "5"), ("often", "often"), ("16,swing", "swing"), ("16,swing=2", "swing=2"),
      ("16,grace=0.7", "grace=0.7"), ("16,", ""), ("16,swing=nan", "swing=nan"),
    ] {
      let error = #expect(throws: InstrumentError.self) { try Quantiser(text) }
      #expect(
        error?.description
          == "cannot read \"\(word)\" in the grid \"\(text)\": it is a note (4, 8, 16, 32; 6, 12, 24 for triplets), "
          + "then swing, strength (0 to 1) or grace (0 to 0.5), such as 16,swing=0.6")
    }
  }
}
