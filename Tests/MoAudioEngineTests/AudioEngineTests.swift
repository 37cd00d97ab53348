import MoAudioEngine
import MoCore
import MoDSP
import MoTesting
import Synchronization
import Testing

@Suite("Audio engine")
struct AudioEngineTests {
  @Test("clears the output before each callback, also after a filled block")
  func zeroed() throws {
    let clock = ManualClock()
    let card = FakeCard(inputs: 2, clock: clock)
    let dirty = Atomic<Int>(0)
    let engine = engine(card, clock) { block in
      for frame in block.frames {
        if block[frame, 0] != 0 || block[frame, 1] != 0 { dirty.wrappingAdd(1, ordering: .relaxed) }
        block[frame] = 0.5
      }
    }
    try engine.start()
    for _ in 0..<10 { engine.cycle() }
    #expect(dirty.load(ordering: .relaxed) == 0)
    #expect(card.played == [Float](repeating: 0.5, count: 512))
  }

  @Test("passes input to the callback as the card gave it")
  func input() throws {
    let clock = ManualClock()
    let card = FakeCard(blockFrames: 64, inputs: 1, outputs: 1, clock: clock)
    let engine = engine(card, clock) { block in
      for frame in block.frames { block[frame] = block.input(frame) }
    }
    try engine.start()
    engine.cycle()
    #expect(card.played == (0..<64).map { Float($0) / 1000 })
  }

  @Test("silences NaN and infinity, clips samples beyond ±1, and counts both")
  func guarded() throws {
    let clock = ManualClock()
    let card = FakeCard(blockFrames: 21, outputs: 1, clock: clock)
    let wrong: [Float] = [.nan, .infinity, -.infinity, 2, -3, 1, -1, 0.25, .signalingNaN]
    let engine = engine(card, clock) { block in
      for frame in block.frames { block[frame] = wrong[frame % 9] }
    }
    try engine.start()
    engine.cycle()
    let right: [Float] = [0, 0, 0, 1, -1, 1, -1, 0.25, 0]
    #expect(card.played == (0..<21).map { right[$0 % 9] })
    #expect(engine.statistics.nonFinite.load(ordering: .relaxed) == 4 + 4 + 3)
    #expect(engine.statistics.clipped.load(ordering: .relaxed) == 2 * 2)
    #expect(engine.statistics.takePeak() == 1)
    #expect(engine.statistics.takePeak() == 0)
  }

  @Test("makes a silent, inaudible first call before the card runs")
  func warmUp() throws {
    let clock = ManualClock()
    let card = FakeCard(clock: clock)
    card.keepsAll = true
    let calls = Atomic<Int>(0)
    let engine = engine(card, clock) { block in
      calls.wrappingAdd(1, ordering: .relaxed)
      for frame in block.frames { block[frame] = 0.5 }
    }
    try engine.start()
    #expect(calls.load(ordering: .relaxed) == 1)
    #expect(card.played.isEmpty)
    engine.cycle()
    #expect(engine.renderer.position == 256)
  }

  @Test(
    "keeps time(frame) within 0.1 ms for an hour, on cards 100 ppm fast and slow with late timestamps",
    arguments: [100.0, -100.0, 0])
  func hour(ppm: Double) throws {
    let clock = ManualClock(HostTime(seconds: 1000))
    let card = FakeCard(ppm: ppm, clock: clock)
    var random = TestRandom(seed: 7)
    // The thread usually reads the card a little late, and sometimes very late.
    card.lateness = { _ in
      let usual = Int64(random.uniform() * 80_000)
      return random.uniform() < 0.01 ? usual + 3_000_000 : usual
    }
    let seen = Mutex<(position: Int64, first: Double, last: Double)>((0, 0, 0))
    let engine = engine(card, clock) { block in
      let first = Double(block.time(0).nanoseconds)
      let last = Double(block.time(block.frames.count - 1).nanoseconds)
      let position = block.position
      seen.withLock { $0 = (position, first, last) }
    }
    try engine.start()
    var worst = 0.0
    let blocks = 3600 * 48_000 / 256
    for block in 0..<blocks {
      engine.cycle()
      guard block > 2000 else { continue }  // Ten seconds to settle.
      let (position, first, last) = seen.withLock { $0 }
      worst = max(worst, abs(first - card.truth(ofFrame: position)))
      worst = max(worst, abs(last - card.truth(ofFrame: position + 255)))
    }
    #expect(worst < 100_000, "worst \(worst) ns")
    #expect(abs(engine.statistics.driftPPM - ppm) < 1)
  }

  @Test("computes when each frame is heard, also after blocks that the card refused")
  func refusedBlocks() throws {
    let clock = ManualClock(HostTime(seconds: 1000))
    let card = FakeCard(clock: clock)
    for cycle in stride(from: 20, through: 100, by: 20) {
      card.refusedWrites.insert(cycle)
      card.mishaps[cycle + 1] = .recovered(lostFrames: 512)
    }
    let time = Atomic<Int64>(0)
    let engine = engine(card, clock) { block in
      time.store(block.time.nanoseconds, ordering: .relaxed)
    }
    try engine.start()
    for cycle in 1...120 {
      engine.cycle()
      guard cycle > 101 else { continue }
      let heard = card.truth(ofFrame: card.written - 256)
      #expect(abs(Double(time.load(ordering: .relaxed)) - heard) < 10_000)
    }
    #expect(engine.renderer.position == card.written + 5 * 256)
  }

  @Test("counts and reports an xrun, and plays on")
  func xrun() throws {
    let clock = ManualClock()
    let card = FakeCard(clock: clock)
    card.mishaps = [3: .recovered(lostFrames: 512)]
    let engine = engine(card, clock) { _ in }
    try engine.start()
    for _ in 0..<5 { engine.cycle() }
    #expect(engine.renderer.position == 4 * 256)
    #expect(engine.statistics.xruns.load(ordering: .relaxed) == 1)
    #expect(engine.statistics.lostFrames.load(ordering: .relaxed) == 512)
    guard case .xrun(512) = engine.events.pop() else {
      Issue.record("no event")
      return
    }
  }

  @Test("replaces a lost card immediately, keeps frames and time running, and switches to a new card")
  func lostAndBack() throws {
    let clock = ManualClock()
    let card = FakeCard(clock: clock)
    card.mishaps = [4: .lost]
    let times = Mutex<[Int64]>([])
    let positions = Mutex<[Int64]>([])
    let engine = engine(card, clock) { block in
      let (time, position) = (block.time.nanoseconds, block.position)
      times.withLock { $0.append(time) }
      positions.withLock { $0.append(position) }
    }
    try engine.start()
    for _ in 0..<10 { engine.cycle() }
    #expect(engine.renderer.position == 9 * 256)
    guard case .lost = engine.events.pop() else {
      Issue.record("the loss was not told")
      return
    }
    #expect(engine.outgoing.pop() === card)
    let next = FakeCard("hw:0", clock: clock)
    engine.incoming.leave(next)
    for _ in 0..<3 { engine.cycle() }
    #expect(next.starts == 1)
    #expect(next.played.count == 512)
    guard case .tookOver = engine.events.pop() else {
      Issue.record("the return was not told")
      return
    }
    let heard = positions.withLock { $0 }.dropFirst()
    #expect(Array(heard) == (0..<12).map { Int64($0) * 256 })
    let moments = times.withLock { $0 }.dropFirst()
    #expect(zip(moments, moments.dropFirst()).allSatisfy { $0 < $1 }, "time never stands or runs back")
  }

  @Test("hands back a card that does not start, and plays on with a virtual one")
  func refused() throws {
    let clock = ManualClock()
    let card = FakeCard(clock: clock)
    let engine = engine(card, clock) { _ in }
    try engine.start()
    engine.cycle()
    let bad = FakeCard("hw:9", clock: clock)
    bad.refusesToStart = true
    engine.incoming.leave(bad)
    for _ in 0..<3 { engine.cycle() }
    guard case .refused = engine.events.pop() else {
      Issue.record("the refusal was not told")
      return
    }
    #expect(engine.renderer.position == 4 * 256)
    // The audio thread closes neither: closing may block.
    #expect(card.isOpen && bad.isOpen)
    let handedOut = [engine.outgoing.pop(), engine.outgoing.pop(), engine.outgoing.pop()].compactMap { $0 }
    #expect(handedOut.count == 2)
    #expect(handedOut.contains { $0 === card } && handedOut.contains { $0 === bad })
  }

  @Test("reports the figures of the present device, also after a change")
  func figures() throws {
    let clock = ManualClock()
    let engine = engine(FakeCard(clock: clock), clock) { _ in }
    try engine.start()
    #expect(engine.statistics.blockFrames.load(ordering: .relaxed) == 256)
    engine.incoming.leave(FakeCard("hw:9", blockFrames: 1024, clock: clock))
    for _ in 0..<3 { engine.cycle() }
    #expect(engine.statistics.blockFrames.load(ordering: .relaxed) == 1024)
    #expect(engine.statistics.latencyFrames.load(ordering: .relaxed) == 2048)
  }

  /// A voice that records the rate for which it was prepared.
  private struct Prepared: Voice {
    var rate = 0.0
    mutating func prepare(sampleRate: Double) { rate = sampleRate }
  }

  @Test("prepares state for the device's rate before any sound, if another rate was requested")
  func ownRate() throws {
    let clock = ManualClock()
    let card = FakeCard(sampleRate: 44_100, clock: clock)
    let seen = Mutex<[Double]>([])
    let engine = engine(
      card, clock,
      StateCallback.make(Prepared(), Prepared()) { first, second, block in
        let rates = [first.rate, second.rate, block.sampleRate]
        seen.withLock { $0 += rates }
      })
    try engine.start()
    engine.cycle()
    #expect(seen.withLock { $0 } == [Double](repeating: 44_100, count: 6))
  }

  @Test("mutes and unmutes within 10 ms in small steps")
  func fade() throws {
    let clock = ManualClock()
    let card = FakeCard(outputs: 1, clock: clock)
    card.keepsAll = true
    let engine = engine(card, clock) { block in
      for frame in block.frames { block[frame] = 1 }
    }
    try engine.start()
    engine.cycle()
    engine.renderer.gain.store(Float(0).bitPattern, ordering: .relaxed)
    for _ in 0..<3 { engine.cycle() }
    engine.renderer.gain.store(Float(1).bitPattern, ordering: .relaxed)
    for _ in 0..<3 { engine.cycle() }
    let steps = zip(card.played, card.played.dropFirst()).map { abs($1 - $0) }
    #expect((steps.max() ?? 1) < 0.0022)
    #expect(card.played[255] == 1)
    #expect(abs(card.played[256 + 480] - 0) < 1e-3)
    #expect(card.played[256 + 700] == 0)
    #expect(card.played.last == 1)
  }
}
