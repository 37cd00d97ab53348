import Glibc
import MoCore
import MoOSC
import MoSensing
import Testing

@Suite("The queue of a sensor tape")
struct TapeQueueTests {
  /// Returns the times (ms) of the messages in the file now.
  private func times(_ path: String) throws -> [Int64] {
    let tape = try OSCTapeReader(path: path)
    var times: [Int64] = []
    while let entry = try tape.next() { times.append(entry.nanoseconds / 1_000_000) }
    return times
  }

  @Test("reports messages that were dropped because the disk was too slow")
  func lost() throws {
    let path = "/tmp/momu-queue-\(getpid())-\(UInt32.random(in: 0 ... .max)).osc"
    defer { unlink(path) }
    let tape = try OSCTapeWriter(path: path, startNanosecondsSince1970: 0, madeBy: "a test")
    let told = Locked<[String]>([])
    let queue = TapeQueue(tape, start: .zero) { text in told.withLock { $0.append(text) } }
    for step in 0..<(TapeQueue.room + 3) {
      queue.add(OSCMessage("/x", [.int32(1)]), at: HostTime(nanoseconds: Int64(step)))
    }
    queue.close()
    #expect(
      told.withLock { $0 } == [
        "the disk was too slow for 3 messages, which are not on the tape: record to a faster one"
      ])
  }

  @Test("writes the last messages to the disk a second later, in order, even if nothing follows")
  func last() throws {
    let path = "/tmp/momu-queue-\(getpid())-\(UInt32.random(in: 0 ... .max)).osc"
    defer { unlink(path) }
    let start = HostTime(seconds: 500)
    let tape = try OSCTapeWriter(path: path, startNanosecondsSince1970: 0, madeBy: "a test")
    let queue = TapeQueue(tape, start: start) { Issue.record("\($0)") }
    func add(_ seconds: Double) {
      queue.add(
        OSCMessage("/momu/button", [.string("KEY_A"), .int32(1)]), at: start.advanced(bySeconds: seconds))
    }
    // As the disk thread does: ten times a second, until 9.9 s.
    for tenth in 0..<100 { queue.write(until: start.advanced(bySeconds: Double(tenth) / 10)) }
    add(10.08)
    add(10)
    for tenth in 101...112 { queue.write(until: start.advanced(bySeconds: Double(tenth) / 10)) }
    #expect(try times(path) == [10_000, 10_080])
    // An earlier message may still come before a present one.
    add(11.25)
    queue.write(until: start.advanced(bySeconds: 11.3))
    add(11.2)
    queue.close()
    #expect(try times(path) == [10_000, 10_080, 11_200, 11_250])
  }
}
