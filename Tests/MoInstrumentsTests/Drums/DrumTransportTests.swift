import MoCore
import MoInstruments
import MoTesting
import Testing

@Suite("Starting, pausing and stopping a drum machine", .everyOutputPath)
struct DrumTransportTests {
  /// Frames and steps of the sound at 120 beats per minute: a sixteenth is 6,000 frames.
  private final class Player {
    let rig: BeatRig
    let board: DrumBoard
    var machine: DrumMachine
    var heard: [Int64] = []

    init(meter: Meter = .common, chain: [Int] = [0]) throws {
      rig = BeatRig(tempo: 120, meter: meter)
      board = DrumBoard(rhythm: rig.rhythm, author: 1)
      for pattern in 0..<4 { for step in 0..<16 { board[0, step, pattern: pattern] = 1 } }
      board.chain = chain
      machine = DrumMachine(board, samples: impulseKit(rows: 1), seed: 1)
      machine.prepare(sampleRate: 48_000, blockFrames: 512)
    }

    func run(to frame: Int64, block: Int = 500) {
      rig.run(frames: frame - rig.clock.frame, block: block) { block in
        withoutControls { machine.render(&block, $0) }
        for frame in block.frames where block[frame, 0] != 0 { heard.append(block.position + Int64(frame)) }
      }
    }
  }

  @Test("polling for ticks stops when the machine is gone")
  func pumpEnds() {
    var isThere = true
    let pump = TickPump(from: .zero) { [isThere] in isThere }
    pump.service(until: .zero)
    #expect(pump.nextTime == HostTime(seconds: 0.02))
    isThere = false
    let last = TickPump(from: .zero) { [isThere] in isThere }
    last.service(until: .zero)
    #expect(last.nextTime == nil)
  }

  @Test("a start begins immediately, at the first step")
  func starts() throws {
    let player = try Player()
    player.run(to: 10_000)
    #expect(player.heard.isEmpty)
    player.board.rhythm.start()
    player.run(to: 30_000)
    #expect(player.heard == [10_000, 16_000, 22_000, 28_000])
    #expect(player.board.ticks.last?.step == 3)
  }

  @Test("pausing keeps the position and resuming plays the next step, both to the frame")
  func pauses() throws {
    let player = try Player()
    player.board.rhythm.start()
    player.run(to: 14_000)
    player.board.rhythm.pause()
    player.run(to: 100_000)
    #expect(player.heard == [0, 6000, 12_000])
    #expect(player.board.rhythm.state == .paused)
    player.board.rhythm.resume()
    player.run(to: 112_000)
    #expect(player.heard == [0, 6000, 12_000, 104_000, 110_000])
    #expect(player.board.ticks.last?.step == 4)
  }

  @Test("a stop ends the beat, and the next start begins at the first bar")
  func stops() throws {
    let player = try Player()
    player.board.rhythm.start()
    player.run(to: 20_000)
    player.board.rhythm.stop()
    player.run(to: 50_000)
    player.board.rhythm.resume()
    player.run(to: 60_000)
    #expect(player.heard == [0, 6000, 12_000, 18_000])
    player.board.rhythm.start()
    player.run(to: 70_000)
    #expect(player.heard.suffix(2) == [60_000, 66_000])
    #expect(player.board.ticks.last?.step == 1)
  }

  @Test("a start while running restarts there")
  func restarts() throws {
    let player = try Player()
    player.board.rhythm.start()
    player.run(to: 13_000)
    player.board.rhythm.start()
    player.run(to: 26_000)
    #expect(player.heard == [0, 6000, 12_000, 13_000, 19_000, 25_000])
  }

  @Test("the count-in is silent")
  func countIn() throws {
    let player = try Player()
    player.board.rhythm.start(countIn: 1)
    player.run(to: 110_000)
    #expect(player.heard == [96_000, 102_000, 108_000])
  }

  @Test("plays the patterns in the order of the chain")
  func chains() throws {
    let player = try Player(chain: [2, 0, 1])
    player.board.rhythm.start()
    var patterns: [Int] = []
    for bar in 1...7 {
      player.run(to: Int64(bar) * 96_000)
      patterns.append(player.board.ticks.last?.pattern ?? -1)
    }
    #expect(patterns == [2, 0, 1, 2, 0, 1, 2])
  }

  @Test("ramps and jumps of the tempo take effect from the next stroke")
  func tempo() throws {
    let player = try Player()
    player.board.rhythm.start()
    player.run(to: 12_000)
    player.board.rhythm.setTempo(240)
    player.run(to: 24_000)
    #expect(player.heard == [0, 6000, 12_000, 15_000, 18_000, 21_000])
  }

  @Test("a muted row is silent, and a swing of 2/3 is a triplet shuffle")
  func muteAndSwing() throws {
    let player = try Player()
    player.board.swing = 0.667
    player.board.rhythm.start()
    player.run(to: 24_000)
    // A third of two sixteenths, 4,000 frames, before the next pair; 0.667 is a frame late.
    #expect(player.heard == [0, 8001, 12_000, 20_001])
    player.board.setMuted(true, row: 0)
    player.run(to: 48_000)
    #expect(player.heard.count == 4)
  }

  @Test("strikes at the same frames with the bus's rhythm as with its own, with swing and tempo changes")
  func bus() throws {
    func frames(isOwn: Bool, block: Int) throws -> [Int] {
      let rig = BeatRig(tempo: 97.3)
      let board = DrumBoard(.standard, rhythm: isOwn ? rig.rhythm : Rhythm(clock: rig.clock), author: 1)
      for step in 0..<16 { board[0, step] = 0.8 }
      board.swing = 0.71
      let bus = InstrumentBus(sampleRate: 48_000, lookAhead: 0)
      if !isOwn { bus.follow { [rhythm = rig.rhythm] in rhythm.beat } }
      let handle = try bus.add(DrumMachine(board, samples: impulseKit(rows: 3)))
      handle.loudness = 1
      rig.rhythm.start()
      rig.rhythm.setTempo(181, over: 9, at: HostTime(seconds: 1.3))
      return rig.record(bus, seconds: 6, block: block).enumerated().filter { $0.element > 0.1 }.map(\.offset)
    }
    let own = try frames(isOwn: true, block: 512)
    #expect(own.count > 50)
    for block in [1, 64, 512] { #expect(try frames(isOwn: false, block: block) == own) }
  }

  @Test("ticks report the step and the time at which it is heard")
  func ticks() throws {
    let player = try Player()
    player.board.rhythm.start()
    player.run(to: 42_500)
    let tick = try #require(player.board.ticks.last)
    #expect(tick.step == 7 && tick.frame == 42_000)
    #expect(tick.time == HostTime(nanoseconds: 875_000_000).advanced(bySeconds: player.rig.latency))
  }
}
