import Glibc
import MoCore
import MoDSP
import MoInstruments
import MoTesting
import Testing

/// Playing on a grid: a sixteenth at 120 beats per minute is 6,000 frames, bar 1 begins at frame 4,800.
@Suite("Playing on a grid", .everyOutputPath)
struct GridTests {
  private static let beat = BeatClock.steady(tempo: 120, from: moment(4800))

  /// A probe without a grid of its own, and the frame and height of each impulse that it plays.
  private func heard(
    _ grid: Quantiser?, isRhythm: Bool = true, block: Int = 256, frames: Int = 40_000,
    _ play: (InstrumentHandle) -> Void
  ) throws -> [(frame: Int, height: Float)] {
    var harness = Harness(blockFrames: block)
    let handle = try harness.bus.add(ImpulseProbe())
    handle.loudness = 1
    handle.grid = grid
    if isRhythm { harness.bus.follow { Self.beat } }
    play(handle)
    return harness.render(frames).left.enumerated().filter { $0.element != 0 }.map { ($0.offset, $0.element) }
  }

  @Test(
    "notes and strokes wait for their nearest line, in blocks of any length",
    arguments: [1, 64, 100, 512])
  func waits(block: Int) throws {
    let sounds = try heard(Quantiser(), block: block) { handle in
      handle.strike(0.5, at: moment(7801))
      handle.strike(0.25, at: moment(10_700))
      handle.noteOn(60, velocity: 0.375, at: moment(13_801))
      handle.strike(0.5, at: moment(22_800))
    }
    #expect(sounds.map(\.frame) == [10_800, 16_800, 22_800])
    #expect(sounds.map(\.height) == [0.75, 0.375, 0.5])
  }

  @Test("a stroke after its line sounds immediately, not a step late", arguments: [1, 64, 100, 512])
  func late(block: Int) throws {
    let sounds = try heard(Quantiser(), block: block) { handle in
      handle.strike(0.5, at: moment(10_801))
      handle.strike(0.25, at: moment(19_000))
    }
    #expect(sounds.map(\.frame) == [10_801, 19_000])
  }

  @Test("nothing waits without a rhythm or without a grid")
  func free() throws {
    for (grid, isRhythm) in [(Quantiser(), false), (nil, true)] {
      let sounds = try heard(grid, isRhythm: isRhythm) { $0.strike(0.5, at: moment(9000)) }
      #expect(sounds.map(\.frame) == [9000])
    }
  }

  @Test("strength moves a note part of the way, and swing delays every second line")
  func shades() throws {
    let half = try heard(Quantiser(strength: 0.5)) { $0.strike(0.5, at: moment(8800)) }
    #expect(half.map(\.frame) == [9800])
    // The second sixteenth of a pair at two thirds: 8,000 frames after the beat.
    let swung = try heard(Quantiser(swing: 2.0 / 3)) { $0.strike(0.5, at: moment(9800)) }
    #expect(swung.map(\.frame) == [12_800])
  }

  @Test("a note that waits keeps its length, and one that is released by allNotesOff is not heard")
  func lengths() throws {
    let sounds = try heard(Quantiser()) { handle in
      handle.noteOn(60, velocity: 0.5, at: moment(8000))
      handle.noteOff(60, at: moment(10_000))
      handle.noteOn(62, velocity: 0.5, at: moment(20_000))
      handle.allNotesOff(at: moment(21_000))
    }
    #expect(sounds.map(\.frame) == [10_800, 12_800])
    #expect(sounds[1].height == -0.25)
  }

  @Test("a release that arrives after the rhythm has stopped still waits for its note")
  func stopped() throws {
    var harness = Harness()
    let handle = try harness.bus.add(ImpulseProbe())
    handle.loudness = 1
    handle.grid = Quantiser()
    harness.bus.follow { Self.beat }
    handle.noteOn(60, velocity: 0.5, at: moment(8000))
    let before = harness.render(9216).left
    harness.bus.follow(nil)
    handle.noteOff(60, at: moment(9500))
    let sounds = (before + harness.render(10_000).left).enumerated().filter { $0.element != 0 }.map(\.offset)
    #expect(sounds == [10_800, 12_300])
  }

  @Test(
    "movement sounds immediately without a rhythm; with one, on its nearest line or immediately after it",
    arguments: ["harp", "reed", "drone", "shaker", "bars", "piano"])
  func movement(name: String) throws {
    func onset(_ isRhythm: Bool, _ begin: Double) throws -> Int {
      var harness = Harness()
      let handle = try Instruments.named(name).add(to: harness.bus, seed: 1)
      handle.grid = Quantiser()
      if isRhythm { harness.bus.follow { Self.beat } }
      // Held still, then tilted and shaken from that time on, at 100 readings per second.
      for step in 0..<200 {
        let time = moment(Double(step) * 480)
        let isMoved = Double(step) * 480 >= begin
        let tilt = Motion.Tilt(roll: isMoved ? 34 : 0)
        var motion = Motion(time: time, x: tilt.up.x, y: tilt.up.y, z: tilt.up.z, tilt: tilt)
        motion.activity = isMoved ? 0.6 : 0
        motion.strike = isMoved && Double(step - 1) * 480 < begin ? 0.8 : nil
        handle.move(motion)
      }
      return harness.render(90_000).left.firstIndex { abs($0) > 0 } ?? -1
    }
    // Some instruments speak a little late, with or without a rhythm.
    let free = try onset(false, 24_000)
    #expect((24_000..<24_600).contains(free))
    // Before the line at 28,800, and after it.
    let early = try onset(true, 26_400)
    #expect((28_800..<28_800 + 600).contains(early))
    let late = try onset(true, 29_280)
    #expect((29_280..<29_280 + 1080).contains(late))
  }

  @Test("a reed that is being blown changes its note on a line")
  func slides() throws {
    var harness = Harness()
    let handle = try Instruments.named("reed").add(to: harness.bus, seed: 1)
    handle.grid = Quantiser()
    harness.bus.follow { Self.beat }
    for step in 0..<200 {
      var motion = Motion(time: moment(Double(step) * 480), x: 0, y: 0, z: 1)
      motion.tilt = Motion.Tilt(pitch: 0, roll: step < 155 ? 0 : 23)
      motion.activity = 0.6
      handle.move(motion)
    }
    // Tilted at 74,400; the next line is at 76,800.
    let sound = harness.render(96_000).left
    func crossings(_ frames: Range<Int>) -> Int {
      frames.reduce(0) { $0 + (sound[$1 - 1] < 0 && sound[$1] >= 0 ? 1 : 0) }
    }
    let before = crossings(67_000..<71_800)
    #expect(abs(crossings(72_000..<76_800) - before) <= 1)
    #expect(crossings(84_000..<88_800) > before + 4)
  }

  @Test("parses a note value and options, or reports the word that cannot be parsed")
  func text() throws {
    #expect(try Quantiser("16") == Quantiser())
    #expect(try Quantiser("12,swing=0.5") == Quantiser(stepsPerBeat: 3, swing: 0.5))
    #expect(
      try Quantiser("8,strength=0.25") == Quantiser(stepsPerBeat: 2, strength: 0.25))
    for (text, word) in [
      ("", ""), ("5", "5"), ("often", "often"), ("16,swing", "swing"), ("16,swing=2", "swing=2"),
      ("16,grace=0.1", "grace=0.1"), ("16,", ""), ("16,swing=nan", "swing=nan"),
    ] {
      let error = #expect(throws: InstrumentError.self) { try Quantiser(text) }
      #expect(
        error?.description
          == "cannot read \"\(word)\" in the grid \"\(text)\": write a note (4, 8, 16, 32; 6, 12, 24 for triplets), "
          + "then swing or strength (0 to 1), such as 16,swing=0.6")
    }
  }
}
