import Glibc
import MoAudioEngine
import MoCore
import MoDSP
import MoTesting
import Synchronization
import Testing

/// A host whose clock is `offset` ahead of true time and runs `ppm` fast.
private struct BentClock: TimeSource {
  let truth: ManualClock
  let ppm: Double
  let offset: Int64

  var now: HostTime {
    let passed = truth.now.nanoseconds
    return HostTime(nanoseconds: passed + offset + Int64((Double(passed) * ppm * 1e-6).rounded()))
  }

  /// The host's knowledge of true time, as if measured over a network.
  var toTruth: SlewedClock {
    var map = SlewedClock()
    map.settle(
      on: ClockEstimate(
        at: HostTime(nanoseconds: offset), offset: -offset, rate: 1 / (1 + ppm * 1e-6) - 1, errorBound: 0,
        symmetricBound: 0, roundTrip: 0, leastRoundTrip: 0, loss: 0),
      at: HostTime(nanoseconds: offset))
    return map
  }

  func sleep(until time: HostTime) { fatalError("a simulated card waits for its own clock") }
}

/// True time for sleepers that wake up to 80 µs late, and sometimes 3 ms late.
private final class LateClock: TimeSource {
  let truth: ManualClock
  private let random = Mutex(TestRandom(seed: 5))

  init(_ truth: ManualClock) { self.truth = truth }

  var now: HostTime { truth.now }

  func sleep(until time: HostTime) {
    let late = random.withLock { random in
      Int64(random.uniform() * 80_000) + (random.uniform() < 0.01 ? 3_000_000 : 0)
    }
    truth.advance(to: time.advanced(byNanoseconds: late))
  }
}

@Suite("A simulated card")
struct SimulatedCardTests {
  private static let format = AudioFormat(sampleRate: 48_000, blockFrames: 256, inputs: 0, outputs: 2)

  @Test("accepts more frames in true time according to its drift", arguments: [100, -100, 0, 1000])
  func pace(ppm: Int) {
    let truth = ManualClock(HostTime(seconds: 5))
    let host = BentClock(truth: truth, ppm: 50, offset: 7_000_000_000)
    let card = VirtualDevice(
      format: Self.format, clock: host,
      crystal: SimulatedOscillator(ppm: ppm, sampleRate: 48_000, time: truth))
    let block = [Float](repeating: 0, count: 512)
    card.start()
    // 100,000 blocks of 256 frames: 533.3 s, minus 53 ms if it is 100 ppm fast.
    for _ in 0..<100_000 {
      _ = card.wait()
      _ = block.withUnsafeBufferPointer { card.write($0) }
    }
    _ = card.wait()
    let seconds = 100_000.0 * 256 / 48_000 / (1 + Double(ppm) * 1e-6)
    #expect(abs(truth.now.seconds(since: HostTime(seconds: 5)) - seconds) < 1e-6)
  }

  @Test("reports positions in the host's clock up to a millisecond late, and never early")
  func positions() throws {
    let truth = ManualClock()
    let host = BentClock(truth: truth, ppm: -50, offset: 7_000_000_000)
    let card = VirtualDevice(
      format: Self.format, clock: host,
      crystal: SimulatedOscillator(ppm: 100, sampleRate: 48_000, time: truth))
    let block = [Float](repeating: 0, count: 512)
    card.start()
    var latenesses: [Double] = []
    for _ in 0..<1000 {
      guard case .ready(let position?) = card.wait() else {
        Issue.record("not ready")
        return
      }
      // Frame n is heard two blocks after its request: n + 512 frames of 1/48004.8 s from the start.
      let heard = Double(position.frame + 512) / 48_004.8
      let stamp = Double(position.time.nanoseconds - 7_000_000_000) * 1e-9 / (1 - 50e-6)
      latenesses.append(stamp - heard)
      _ = block.withUnsafeBufferPointer { card.write($0) }
    }
    let (least, most) = (try #require(latenesses.min()), try #require(latenesses.max()))
    #expect(least > -1e-8 && least < 1e-6 && most > 0.5e-3 && most < 1e-3)
  }

  @Test(
    "plays the frame of each beat on time for ten minutes, for any drift of card and host",
    arguments: [(100, -50.0), (-100, 50), (100, 50), (-33, 17)])
  func beats(card ppm: Int, host hostPPM: Double) throws {
    let truth = ManualClock()
    let host = BentClock(truth: truth, ppm: hostPPM, offset: 1_800_000_000_000)
    let card = VirtualDevice(
      format: Self.format, clock: host,
      crystal: SimulatedOscillator(ppm: ppm, sampleRate: 48_000, time: LateClock(truth)))
    // Every half second of true time, from second 1 on.
    let start = SessionTime(nanoseconds: 1_000_000_000)
    let beat = BeatClock(
      clock: host.toTruth,
      timeline: Timeline(BeatSegment(start: start, beat: 0, tempo: 120, isPlaying: true, meter: .common)))
    let steps = Mutex(BeatSteps(.beat))
    let found = Mutex<[(beat: Double, frame: Int64)]>([])
    let renderer = BlockRenderer(format: Self.format, statistics: AudioStatistics()) { block in
      let position = block.position
      var own = steps.withLock { $0 }
      while let step = own.next(in: block, of: beat) {
        found.withLock { $0.append((step.beat, position + Int64(step.frame))) }
      }
      let after = own
      steps.withLock { $0 = after }
    }
    let engine = AudioEngine(device: card, renderer: renderer, clock: host)
    try engine.start()
    for _ in 0..<(600 * 48_000 / 256) { engine.cycle() }
    // The timeline has no start, so it also has beats before 0.
    let played = found.withLock { $0 }.filter { $0.beat >= 0 }
    #expect(played.map(\.beat) == (0..<played.count).map(Double.init) && played.count > 1190)
    // Frame n is heard two blocks after its request. Ten seconds are for learning the card's rate.
    let rate = 48_000 * (1 + Double(ppm) * 1e-6)
    let errors = played.dropFirst(20).map { Double($0.frame + 512) / rate - (1 + $0.beat * 0.5) }
    let worst = try #require(errors.map(abs).max())
    #expect(worst < 1e-4, "worst \(worst * 1e3) ms")
  }

  @Test("underruns if its program is late by more than two blocks, and not before")
  func dry() {
    for (late, lost) in [(10_600, nil), (10_700, 512), (17_000, 768)] as [(Int, Int?)] {
      let truth = ManualClock()
      let card = VirtualDevice(
        format: Self.format, clock: truth,
        crystal: SimulatedOscillator(ppm: 0, sampleRate: 48_000, time: truth))
      card.start()
      truth.advance(by: .microseconds(late))
      switch card.wait() {
      case .recovered(let frames): #expect(frames == lost)
      case .ready: #expect(lost == nil)
      default: Issue.record("it is neither ready nor dry")
      }
    }
  }

  @Test("plays every block without latency, although each wake is late")
  func noLatency() {
    let truth = ManualClock()
    let card = VirtualDevice(
      format: Self.format, clock: truth, card: SimulatedCard(latency: 0),
      crystal: SimulatedOscillator(ppm: 0, sampleRate: 48_000, time: LateClock(truth)))
    let block = [Float](repeating: 0, count: 512)
    card.start()
    for _ in 0..<1000 {
      guard case .ready = card.wait() else {
        Issue.record("not ready")
        return
      }
      _ = block.withUnsafeBufferPointer { card.write($0) }
    }
  }

  @Test("loses whole blocks only, also if a block is longer than the time that a virtual device waits")
  func longBlocks() {
    for (late, lost) in [(120, nil), (180, 8192), (350, 16_384)] as [(Int, Int?)] {
      let clock = ManualClock()
      let device = VirtualDevice(
        format: AudioFormat(sampleRate: 48_000, blockFrames: 8192, inputs: 0, outputs: 2), clock: clock)
      device.start()
      clock.advance(by: .milliseconds(late))
      switch device.wait() {
      case .recovered(let frames): #expect(frames == lost)
      case .ready: #expect(lost == nil)
      default: Issue.record("it is neither ready nor late")
      }
    }
  }

  @Test("writes a program's delay as silence to its file, and the start time to the comment")
  func gap() throws {
    let path = "/tmp/momu-card-\(getpid()).wav"
    defer { unlink(path) }
    let truth = ManualClock(HostTime(seconds: 3))
    let format = AudioFormat(sampleRate: 48_000, blockFrames: 480, inputs: 0, outputs: 1)
    let card = try WavDevice(
      path: path, format: format, clock: truth,
      crystal: SimulatedOscillator(ppm: 100, sampleRate: 48_000, time: truth)
    ) { Issue.record($0) }
    let block = [Float](repeating: 0.5, count: 480)
    card.start()
    _ = card.wait()
    _ = block.withUnsafeBufferPointer { card.write($0) }
    truth.advance(by: .milliseconds(510))
    guard case .recovered(let lost) = card.wait() else {
      Issue.record("nothing was lost")
      return
    }
    _ = card.wait()
    _ = block.withUnsafeBufferPointer { card.write($0) }
    card.close()
    let bytes = bytes(path)
    // The second block was due 10 ms after the first: 500 ms late is 24,002 frames, in whole blocks.
    #expect(lost == 24_000)
    #expect(bytes.count == 228 + 3 * (480 + 24_000 + 480))
    #expect(bytes[(228 + 3 * 480)..<(228 + 3 * 24_480)].allSatisfy { $0 == 0 })
    #expect(Array(bytes[(228 + 3 * 24_480)...].prefix(3)) == [0, 0, 0x40])
    // RIFF: LIST, size, INFO, ICMT (comment), size, text.
    #expect(String(decoding: bytes[72..<76] + bytes[80..<88], as: UTF8.self) == "LISTINFOICMT")
    #expect(bytes[76] == 140 && bytes[88] == 128)
    // Two blocks of 480 frames after the start at 3 s: 960 / 48004.8 s.
    let comment = String(decoding: bytes[92..<220].prefix { $0 != 0 }, as: UTF8.self)
    #expect(comment == "frame 0 heard at CLOCK_MONOTONIC_RAW 3019998000 ns; 48004.8 frames a second")
    #expect(String(decoding: bytes[220..<224], as: UTF8.self) == "data")
  }

  private func bytes(_ path: String) -> [UInt8] {
    let file = fopen(path, "r")
    defer { fclose(file) }
    var all: [UInt8] = []
    while case let byte = fgetc(file), byte != EOF { all.append(UInt8(truncatingIfNeeded: byte)) }
    return all
  }
}
