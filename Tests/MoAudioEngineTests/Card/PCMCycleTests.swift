import Glibc
import MoAudioEngine
import MoCore
import Testing

/// The cycle with cards that misbehave in the ways of the kernel's documentation.
@Suite("ALSA cycle")
struct PCMCycleTests {
  let callLog = ScriptedPCM.CallLog()
  let clock = ManualClock(HostTime(seconds: 100))

  func cycle(
    _ playback: ScriptedPCM?, _ capture: ScriptedPCM? = nil, inStep: Bool = true, linked: Bool = true,
    channels: Int = 1, depth: Int = 48
  ) -> PCMCycle<ScriptedPCM> {
    let cycle = PCMCycle(
      format: AudioFormat(
        sampleRate: 16_000, blockFrames: 16, inputs: capture == nil ? 0 : channels,
        outputs: playback == nil ? 0 : channels),
      playback: playback, capture: capture, inStep: inStep, linked: linked, depth: depth, clock: clock)
    cycle.pollTimeout = 0
    return cycle
  }

  func write(_ cycle: PCMCycle<ScriptedPCM>, _ value: Float) -> Bool {
    [Float](repeating: value, count: 16 * cycle.format.outputs).withUnsafeBufferPointer { cycle.write($0) }
  }

  func read(_ cycle: PCMCycle<ScriptedPCM>) -> [Float]? {
    var block = [Float](repeating: 9, count: 16 * cycle.format.inputs)
    return block.withUnsafeMutableBufferPointer { cycle.read($0) } ? block : nil
  }

  @Test("starts with the depth in silence, with both directions prepared before it and started after it")
  func start() {
    let playback = ScriptedPCM("out", callLog: callLog)
    let capture = ScriptedPCM("in", callLog: callLog)
    let cycle = cycle(playback, capture, linked: false)
    #expect(cycle.start() == 0)
    #expect(
      callLog.lines == ["drop out", "drop in", "prepare out", "prepare in", "start in", "start out"])
    #expect(playback.written == [Int16](repeating: 0, count: 48))
  }

  @Test("starts linked streams with one call")
  func linked() {
    let cycle = cycle(ScriptedPCM("out", callLog: callLog), ScriptedPCM("in", callLog: callLog))
    #expect(cycle.start() == 0)
    #expect(callLog.lines.suffix(3) == ["prepare out", "prepare in", "start out"])
  }

  @Test("reports the frame that is heard: the written ones minus the card's delay, without the first silence")
  func position() {
    let playback = ScriptedPCM("out")
    let cycle = cycle(playback)
    _ = cycle.start()
    playback.usual.delay = 48
    playback.usual.time = HostTime(seconds: 1)
    #expect(cycle.wait().position == CardPosition(frame: -48, time: HostTime(seconds: 1)))
    #expect(write(cycle, 0.5))
    #expect(cycle.wait().position == CardPosition(frame: -32, time: HostTime(seconds: 1)))
    #expect(cycle.outputLatencyFrames == 48)
    #expect(playback.written.suffix(16) == ArraySlice([Int16](repeating: 16_384, count: 16)))
  }

  @Test("uses the present time if the card gives none")
  func noStamp() {
    let playback = ScriptedPCM("out")
    playback.usual.time = nil
    let cycle = cycle(playback)
    _ = cycle.start()
    #expect(cycle.wait().position?.time == clock.now)
  }

  @Test("waits for room in the depth, not in the whole of a larger buffer")
  func depth() {
    let playback = ScriptedPCM("out")
    let cycle = cycle(playback)
    _ = cycle.start()
    playback.usual.available = 64 - 48 + 15
    #expect(cycle.wait().isWaiting)
    playback.usual.available += 1
    #expect(cycle.wait().isReady)
  }

  @Test("writes a whole block, in any number of calls")
  func shortWrites() {
    let playback = ScriptedPCM("out")
    let cycle = cycle(playback)
    _ = cycle.start()
    #expect(cycle.wait().isReady)
    playback.results = [5, -Int(EAGAIN), 1, -Int(EINTR), 7, 0, 3]
    #expect(write(cycle, 0.25))
    #expect(playback.written.count == 48 + 16)
    #expect(cycle.counts.recoveries == 0)
  }

  @Test("stops waiting for room that the card had announced")
  func brokenPromise() {
    let playback = ScriptedPCM("out")
    let cycle = cycle(playback)
    _ = cycle.start()
    #expect(cycle.wait().isReady)
    playback.results = [Int](repeating: -Int(EAGAIN), count: 20)
    #expect(!write(cycle, 0.25))
    playback.results = []
    #expect(cycle.wait().lostFrames == 0)
    #expect(cycle.wait().isReady)
  }

  @Test("recovers from an underrun with new silence, and reports the lost frames")
  func underrun() {
    let playback = ScriptedPCM("out", callLog: callLog)
    let cycle = cycle(playback)
    _ = cycle.start()
    playback.usual.delay = 48
    playback.usual.time = clock.now
    #expect(cycle.wait().isReady)
    #expect(write(cycle, 1))
    // 64 frames were queued, 4 ms at 16 kHz; 10 ms later 96 frames are missing.
    clock.advance(by: .milliseconds(10))
    callLog.lines = []
    playback.written = []
    playback.results = [-Int(EPIPE)]
    #expect(!write(cycle, 1))
    #expect(cycle.wait().lostFrames == 96)
    #expect(callLog.lines == ["drop out", "prepare out", "start out"])
    #expect(playback.written == [Int16](repeating: 0, count: 48))
    #expect(cycle.counts.recoveries == 1)
    #expect(cycle.wait().isReady)
  }

  @Test("detects an underrun that only the poll or the status reveals")
  func quietUnderrun() {
    let playback = ScriptedPCM("out")
    let cycle = cycle(playback)
    _ = cycle.start()
    playback.statuses = [PCMStatus(state: .xrun)]
    #expect(cycle.wait().isRecovered)
    playback.events = [POLLERR]
    playback.statuses = [PCMStatus(state: .xrun)]
    #expect(cycle.wait().isRecovered)
    #expect(cycle.wait().isReady)
  }

  @Test("queues a block more after each underrun if the stream allows it, up to its limit")
  func growth() {
    let playback = ScriptedPCM("out", bufferFrames: 96)
    playback.deepestFrames = 80
    let cycle = cycle(playback)
    _ = cycle.start()
    for depth in [64, 80, 80, 80] {
      playback.written = []
      playback.statuses = [PCMStatus(state: .xrun)]
      #expect(cycle.wait().isRecovered)
      #expect(cycle.depth == depth)
      #expect(playback.written.count == depth, "silence as long as the queue")
      #expect(cycle.wait().isReady)
    }
    #expect(playback.depths == [64, 80])
    #expect(cycle.growths == 2)
  }

  @Test("keeps the queue on a card, after a suspend, and if the stream cannot grow")
  func noGrowth() {
    let card = cycle(ScriptedPCM("out"))
    let asleep = ScriptedPCM("out")
    let stiff = ScriptedPCM("out")
    (asleep.deepestFrames, stiff.deepestFrames, stiff.canDeepen) = (80, 80, false)
    for (cycle, state) in [(card, PCMStatus.State.xrun), (cycle(asleep), .suspended), (cycle(stiff), .xrun)] {
      _ = cycle.start()
      cycle.playback?.statuses = [PCMStatus(state: state)]
      #expect(cycle.wait().isRecovered)
      #expect(cycle.depth == 48 && cycle.growths == 0)
    }
  }

  @Test("waits for a suspended card while it wakes, then restarts")
  func suspend() {
    let playback = ScriptedPCM("out", callLog: callLog)
    let cycle = cycle(playback)
    _ = cycle.start()
    #expect(cycle.wait().isReady)
    playback.results = [-Int(ESTRPIPE)]
    #expect(!write(cycle, 1))
    callLog.lines = []
    playback.resumeResults = [-EAGAIN, -EAGAIN, 0]
    #expect(cycle.wait().isWaiting)
    #expect(cycle.wait().isWaiting)
    #expect(cycle.wait().isRecovered)
    #expect(
      callLog.lines == ["resume out", "resume out", "resume out", "drop out", "prepare out", "start out"])
  }

  @Test("restarts a suspended card that cannot resume")
  func cannotResume() {
    let playback = ScriptedPCM("out")
    let cycle = cycle(playback)
    _ = cycle.start()
    playback.statuses = [PCMStatus(state: .suspended)]
    playback.resumeResults = [-ENOSYS]
    #expect(cycle.wait().isRecovered)
  }

  @Test("gives up a card that never wakes from suspend")
  func sleepsForEver() {
    let playback = ScriptedPCM("out")
    let cycle = cycle(playback)
    _ = cycle.start()
    playback.statuses = [PCMStatus(state: .suspended)]
    playback.resumeResults = [Int32](repeating: -EAGAIN, count: 1000)
    #expect(waits(cycle) == 39, "four seconds, a tenth at a time")
  }

  @Test("is lost when the card is unplugged, however that is detected")
  func unplugged() {
    for notice in ["write", "status", "state", "poll", "prepare"] {
      let playback = ScriptedPCM("out")
      let cycle = cycle(playback)
      _ = cycle.start()
      #expect(cycle.wait().isReady)
      switch notice {
      case "write":
        playback.results = [-Int(ENODEV)]
        #expect(!write(cycle, 0))
      case "status": playback.statuses = [PCMStatus(error: -ENODEV)]
      case "state": playback.statuses = [PCMStatus(state: .disconnected)]
      case "prepare":
        playback.statuses = [PCMStatus(state: .xrun)]
        playback.prepareResults = [-ENODEV]
      default:
        playback.events = [POLLERR | POLLNVAL]
        playback.statuses = [PCMStatus(state: .disconnected, error: -ENODEV)]
      }
      #expect(cycle.wait().isLost, "noticed by \(notice)")
      #expect(cycle.wait().isLost)
      #expect(!write(cycle, 0))
    }
  }

  @Test("gives up a card without a sign of life for four seconds")
  func stalled() {
    let playback = ScriptedPCM("out")
    let cycle = cycle(playback)
    _ = cycle.start()
    playback.rings = false
    #expect(waits(cycle) == 7, "half a second at a time")
  }

  @Test("gives up a card that wakes forever without accepting frames")
  func busyAndUseless() {
    let playback = ScriptedPCM("out")
    let cycle = cycle(playback)
    _ = cycle.start()
    playback.usual.available = 0
    #expect(waits(cycle) == 15_999, "four seconds, a quarter of a block of 1 ms at a time")
  }

  @Test("gives up a card that fails again immediately, eight times")
  func failsAgain() {
    let playback = ScriptedPCM("out")
    let cycle = cycle(playback)
    _ = cycle.start()
    playback.usual = PCMStatus(state: .xrun)
    for _ in 0..<8 { #expect(cycle.wait().isRecovered) }
    #expect(cycle.wait().isLost)
  }

  @Test("counts samples that the card could not represent")
  func faults() {
    let cycle = cycle(ScriptedPCM("out"))
    _ = cycle.start()
    #expect(cycle.wait().isReady)
    #expect(write(cycle, .nan))
    #expect(write(cycle, 2))
    #expect(cycle.counts.faults == SampleConversion.Faults(notNumbers: 16, clipped: 16))
  }

  /// The number of `.waiting` results before the card is lost.
  private func waits(_ cycle: PCMCycle<ScriptedPCM>) -> Int {
    var count = 0
    while cycle.wait().isWaiting && count < 100_000 { count += 1 }
    #expect(cycle.wait().isLost)
    return count
  }
}

extension AudioDeviceState {
  var isReady: Bool { if case .ready = self { true } else { false } }
  var isWaiting: Bool { if case .waiting = self { true } else { false } }
  var isRecovered: Bool { lostFrames != nil }
  var isLost: Bool { if case .lost = self { true } else { false } }
  var position: CardPosition? { if case .ready(let position) = self { position } else { nil } }
  var lostFrames: Int? { if case .recovered(let frames) = self { frames } else { nil } }
}
