import MoConsole
import MoCore
import MoDSP
import MoInstruments
import MoOSC
import MoTesting
import Testing

/// An instrument's loop: at 120 beats per minute, a beat is 24,000 frames and a bar 96,000.
@Suite("An instrument's loop", .everyOutputPath)
struct LooperTests {
  private struct Player {
    let rig = BeatRig(tempo: 120)
    let bus = InstrumentBus(sampleRate: 48_000, lookAhead: 0)
    let handle: InstrumentHandle

    init() throws {
      bus.follow { [rhythm = rig.rhythm] in rhythm.beat }
      handle = try bus.add(ImpulseProbe())
      handle.loudness = 1
    }

    /// The time at which a player hears a frame and strikes with it.
    func played(_ frame: Double) -> HostTime { moment(frame).advanced(bySeconds: rig.latency) }

    /// The frames and heights of the impulses in the given number of frames.
    func render(_ frames: Int64, block: Int = 512) -> [(frame: Int, height: Float)] {
      let start = Int(rig.clock.frame)
      let sound = rig.record(bus, seconds: Double(frames) / 48_000, block: block)
      return sound.enumerated().filter { $0.element != 0 }.map { (start + $0.offset, $0.element) }
    }
  }

  @Test(
    "records from the next bar on, and repeats at the same frames, round after round",
    arguments: [64, 512])
  func records(block: Int) throws {
    let player = try Player()
    player.rig.rhythm.start()
    _ = player.render(48_000, block: block)
    player.handle.record(beats: 4)
    _ = player.render(24_000, block: block)
    #expect(player.handle.loopState == .waiting)
    // Before the bar, and in it.
    player.handle.noteOn(60, velocity: 0.125, at: player.played(80_000))
    player.handle.noteOff(60, at: player.played(81_000))
    player.handle.noteOn(62, velocity: 0.5, at: player.played(108_000))
    player.handle.noteOff(62, at: player.played(114_000))
    player.handle.noteOn(64, velocity: 0.25, at: player.played(150_000))
    player.handle.noteOff(64, at: player.played(153_000))
    _ = player.render(24_000, block: block)
    #expect(player.handle.loopState == .waiting)
    _ = player.render(512, block: block)
    #expect(player.handle.loopState == .recording)
    _ = player.render(192_000 - 96_512, block: block)
    let again = player.render(2 * 96_000, block: block)
    var expected: [(Int, Float)] = []
    for round in [192_000, 288_000] {
      expected += [
        (round + 12_000, 0.5), (round + 18_000, -0.25), (round + 54_000, 0.25), (round + 57_000, -0.25),
      ]
    }
    #expect(again.map(\.frame) == expected.map(\.0))
    #expect(again.map(\.height) == expected.map(\.1))
    #expect(player.handle.loopState == .playing)
    let melody = try #require(player.handle.loop)
    #expect((0..<melody.count).map { melody[$0].pitch } == [62, 64])
    player.handle.loop = nil
    #expect(player.handle.loop == nil)
    _ = player.render(96_000, block: block)
    #expect(player.render(96_000, block: block).isEmpty)
    #expect(player.handle.loopState == .idle)
  }

  @Test("quantises the recording if asked, backwards as well as forwards")
  func quantised() throws {
    let player = try Player()
    player.rig.rhythm.start()
    player.handle.record(beats: 4, quantised: Quantiser())
    player.handle.noteOn(62, velocity: 0.5, at: player.played(13_000))
    player.handle.noteOff(62, at: player.played(14_000))
    _ = player.render(96_000)
    #expect(player.render(90_000).first?.frame == 96_000 + 12_000)
  }

  @Test(
    "a note that the grid moves to the end of the recording begins the next repetition, and keeps its length")
  func movedToEnd() throws {
    let player = try Player()
    player.handle.grid = Quantiser()
    player.rig.rhythm.start()
    player.handle.record(beats: 4)
    player.handle.noteOn(60, velocity: 0.5, at: player.played(94_800))
    player.handle.noteOff(60, at: player.played(106_800))
    _ = player.render(190_000)
    let melody = try #require(player.handle.loop)
    #expect(melody.count == 1)
    #expect(melody[0].beat == 0 && abs(melody[0].length - 0.5) < 1e-4)
    let again = player.render(96_000)
    #expect(again.map(\.frame) == [192_000, 204_000])
    #expect(again.map(\.height) == [0.5, -0.25])
  }

  @Test("a melody that is set begins with the next bar, and ends its notes when the rhythm stops")
  func plays() throws {
    let player = try Player()
    player.handle.loop = Melody(beats: 2, [.init(beat: 0, length: 1.5, pitch: 60, velocity: 0.5)])
    #expect(player.render(10_000).isEmpty)
    player.rig.rhythm.start()
    #expect(player.render(20_000).map(\.frame) == [10_000])
    player.rig.rhythm.stop()
    #expect(player.render(512).map(\.height) == [-0.25])
    #expect(player.render(96_000).isEmpty)
  }

  @Test(
    "a note longer than the last round of a loop still ends at its time",
    arguments: [64, 512])
  func hangsOver(block: Int) throws {
    let player = try Player()
    player.handle.loop = Melody(beats: 2, [.init(beat: 1.5, length: 1, pitch: 60, velocity: 0.5)])
    player.rig.rhythm.start()
    #expect(player.render(40_000, block: block).map(\.frame) == [36_000])
    // In the middle of the round, which ends at 48,000.
    player.handle.loop = nil
    let sounds = player.render(96_000, block: block)
    #expect(sounds.map(\.frame) == [60_000] && sounds.map(\.height) == [-0.25])
  }

  @Test("without a rhythm a recording waits, and a restarted rhythm restarts the recording")
  func waits() throws {
    let player = try Player()
    player.handle.record(beats: 4)
    player.handle.noteOn(60, at: player.played(1000))
    _ = player.render(96_000)
    #expect(player.handle.loopState == .waiting && player.handle.loop == nil)
    player.rig.rhythm.start()
    _ = player.render(48_000)
    #expect(player.handle.loopState == .recording)
    player.handle.noteOn(65, at: player.played(145_000))
    _ = player.render(4800)
    player.rig.rhythm.start()
    _ = player.render(96_000 + 4800)
    #expect(player.handle.loopState == .playing)
    #expect(player.handle.loop?.count == 0)
  }

  @Test("ignores an invalid melody")
  func broken() throws {
    for values: [OSCArgument] in [[.float(4), .float(1)], [.string("4")], [.float(.nan)], []] {
      #expect(throws: MelodyError.self) { try Melody(values) }
    }
    let melody = Melody(beats: 3, [.init(beat: 1, length: 1, pitch: 60)])
    #expect(try Melody(melody.message.arguments) == melody)
  }

  private func shown(_ console: InstrumentConsole) -> String {
    ScreenBlock.rows(console.picture(at: .zero, columns: 79), 23).lines.map(\.text).joined(separator: "\n")
  }

  @Test("the console's r key records, and ends the loop")
  func console() throws {
    let player = try Player()
    let console = InstrumentConsole(player.handle)
    console.handleKey(.character("r"), at: .zero)
    _ = player.render(512)
    #expect(player.handle.loopState == .waiting)
    #expect(shown(console).contains("loop: waits for the next bar"))
    player.rig.rhythm.start()
    _ = player.render(2 * 96_000 + 512)
    #expect(shown(console).contains("loop: plays 0 notes"))
    console.handleKey(.character("r"), at: .zero)
    _ = player.render(512)
    #expect(player.handle.loopState == .idle)
  }
}
