import Glibc
import MoCore
import MoDSP
import MoOSC
import MoRuntime
import MoSensing
import Synchronization
import Testing

@Suite("A source that becomes silent")
struct SilenceTests {
  private let path = "/tmp/momu-silence-\(getpid())-\(UInt32.random(in: 0 ... .max)).osc"

  /// A tape that ends in the middle of a wild shake, 0.5 s in.
  private func writeTape() throws {
    let tape = try OSCTapeWriter(path: path, startNanosecondsSince1970: 0, madeBy: "a test")
    for index in 0...50 {
      let x = Float(4 * sin(2 * .pi * 5 * Double(index) / 100))
      try tape.write(
        OSCMessage("/momu/accel", [.float(x), .float(0), .float(1)]),
        atNanoseconds: Int64(index) * 10_000_000)
    }
    try tape.close()
  }

  /// Plays the tape to its end; returns the motions and the events.
  private func play() throws -> (motions: [Motion], events: [AccelEvent]) {
    var options = RunOptions()
    options.offline = true
    options.quiet = true
    let run = Run(options)
    let server = AccelServer()
    let heard = Mutex<[Motion]>([])
    let events = Mutex<[AccelEvent]>([])
    server.callbacks.add { motion in heard.withLock { $0.append(motion) } }
    server.events.add { event in events.withLock { $0.append(event) } }
    try server.start(source: "tape:\(path)", in: run)
    while let next = run.input.nextTime { run.input.service(until: next) }
    server.stop()
    return (heard.withLock { $0 }, events.withLock { $0 })
  }

  @Test("comes to rest after the end of a tape")
  func tapeEnds() throws {
    defer { unlink(path) }
    try writeTape()
    let motions = try play().motions
    #expect(motions.count > 51)
    #expect(motions.contains { $0.activity > 0.5 })
    #expect(motions.last?.activity == 0)
    #expect(motions.dropFirst(51).allSatisfy { $0.strike == nil })
    #expect((motions.last?.time ?? .distantFuture) < HostTime(seconds: 2.6))
    #expect(zip(motions, motions.dropFirst()).allSatisfy { $0.time < $1.time })
  }

  @Test("comes to rest if it was lost in the middle of a shake")
  func tapeBreaks() throws {
    defer { unlink(path) }
    try writeTape()
    let file = open(path, O_WRONLY | O_APPEND)
    let rubbish = [UInt8](repeating: 0x55, count: 64)
    #expect(write(file, rubbish, rubbish.count) == 64)
    close(file)
    let (motions, events) = try play()
    #expect(motions.contains { $0.activity > 0.5 })
    #expect(motions.last?.activity == 0)
    #expect(events.count == 1)
    guard case .lost(let name, _)? = events.first else {
      Issue.record("nobody was told")
      return
    }
    #expect(name == "tape:\(path)")
  }

  @Test("repeats itself after 150 ms, every 50 ms, for 1.5 s, but not while readings come")
  func repetition() {
    var held = RestRepeater<AccelReading>()
    #expect(held.nextTime == nil)
    func time(_ milliseconds: Int64) -> HostTime { HostTime(nanoseconds: milliseconds * 1_000_000) }
    for moment: Int64 in [0, 10, 140, 280] {
      #expect(held.next(until: time(moment)) == nil)
      held.hold(AccelReading(time: time(moment), x: 0.1, y: 0.2, z: 0.9))
    }
    var repeated: [AccelReading] = []
    while let reading = held.next(until: time(60_000)) { repeated.append(reading) }
    #expect(repeated.map(\.time) == stride(from: 430, through: 1780, by: 50).map { time($0) })
    #expect(repeated.allSatisfy { $0.x == 0.1 && $0.y == 0.2 && $0.z == 0.9 })
    #expect(held.nextTime == nil)
  }
}
