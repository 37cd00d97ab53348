import Dispatch
import MoCore
import MoNetwork
import MoOSC
import MoRuntime
import MoTesting
import Synchronization
import Testing

/// All tests use the one server of `MoNet`, so they run one after another.
@Suite("MoNet", .serialized, SingleServer.moNet)
final class MoNetTests: Sendable {
  private let port: Int
  private let signal = WakeEvent()
  private let heard = Locked<[String]>([])

  init() throws {
    try NetServer.shared.listen(port: 0, in: Run(RunOptions()))
    port = try #require(MoNet.port)
  }

  deinit { MoNet.stop() }

  private func send(_ address: String, _ arguments: OSCArgument...) throws {
    try MoNet.send(.message(OSCMessage(address, arguments)), to: "127.0.0.1:\(port)")
  }

  /// Sends messages, waits until all are in one of the counts, and returns the change of the counts.
  private func count(_ messages: [OSCMessage]) throws -> NetCounts {
    let before = MoNet.statistics.counts
    for message in messages { try MoNet.send(.message(message), to: "127.0.0.1:\(port)") }
    wait {
      MoNet.statistics.counts.received == before.received + messages.count && MoNet.statistics.waiting == 0
    }
    let after = MoNet.statistics.counts
    return NetCounts(
      received: after.received - before.received, dispatched: after.dispatched - before.dispatched,
      unmatched: after.unmatched - before.unmatched, mismatched: after.mismatched - before.mismatched,
      dropped: after.dropped - before.dropped)
  }

  @discardableResult
  private func wait(until isSo: () -> Bool) -> Bool {
    for _ in 0..<3000 {
      if isSo() { return true }
      signal.wait(for: .milliseconds(10))
    }
    return isSo()
  }

  private func note(_ text: String) { heard.withLock { $0.append(text) } }

  private func popMessages() -> [String] {
    heard.withLock { heard in
      defer { heard = [] }
      return heard
    }
  }

  @Test("callbacks choose their values: none, one, up to four, and the message with them")
  func typed() throws {
    let tokens = [
      MoNet.on("/0") { self.note("bang") },
      MoNet.on("/1") { (a: Int) in self.note("\(a)") },
      MoNet.on("/2") { (a: Float, b: String) in self.note("\(a) \(b)") },
      MoNet.on("/3") { (a: Double, b: Bool, c: [UInt8]) in self.note("\(a) \(b) \(c)") },
      MoNet.on("/4") { (a: UInt8, b: OSCTimeTag, c: OSCArgument, d: Int64) in
        self.note("\(a) \(b.rawValue) \(c.typeTag) \(d)")
      },
      MoNet.on("/m") { message in self.note("\(message.address) \(message.arguments.count)") },
      MoNet.on("/m2") { (message: NetMessage, a: Float) in
        self.note("\(message.sender.port == self.port) \(a)")
      },
    ]
    defer { for token in tokens { token.cancel() } }
    let counts = try count([
      OSCMessage("/0", []), OSCMessage("/1", [.int32(-7)]), OSCMessage("/2", [.int64(3), .symbol("x")]),
      OSCMessage("/3", [.bool(true), .float(0.5), .blob([1, 2])]),
      OSCMessage("/4", [.character(65), .timeTag(OSCTimeTag(rawValue: 9)), .nil, .double(1e15)]),
      OSCMessage("/m", [1, 2, 3]), OSCMessage("/m2", [.double(0.25)]),
    ])
    #expect(
      popMessages() == [
        "bang", "-7", "3.0 x", "1.0 true [1, 2]", "65 9 N 1000000000000000", "/m 3", "true 0.25",
      ])
    #expect(counts == NetCounts(received: 7, dispatched: 7))
  }

  @Test("a value that does not convert, or one value too many or too few, is a mismatch")
  func mismatches() throws {
    let tokens = [
      MoNet.on("/int") { (a: Int) in self.note("\(a)") },
      MoNet.on("/byte") { (a: UInt8) in self.note("\(a)") },
      MoNet.on("/two") { (a: Float, b: Float) in self.note("\(a) \(b)") },
      MoNet.on("/none") { self.note("none") },
    ]
    defer { for token in tokens { token.cancel() } }
    let counts = try count([
      OSCMessage("/int", [.double(1e300)]), OSCMessage("/int", [.float(.nan)]),
      OSCMessage("/int", [.float(-.infinity)]), OSCMessage("/int", [.double(0x1p63)]),
      OSCMessage("/int", [.double(0.5)]), OSCMessage("/int", [.string("1")]), OSCMessage("/int", []),
      OSCMessage("/int", [1, 2]), OSCMessage("/byte", [256]), OSCMessage("/byte", [-1]),
      OSCMessage("/two", [1]), OSCMessage("/two", [1, .nil]), OSCMessage("/two", [1, 2, 3]),
      OSCMessage("/none", [1]),
      // The limits that do fit.
      OSCMessage("/int", [.double(-0x1p63)]), OSCMessage("/byte", [.float(255)]),
    ])
    #expect(popMessages() == ["-9223372036854775808", "255"])
    #expect(counts == NetCounts(received: 16, dispatched: 2, mismatched: 14))
  }

  @Test("all callbacks of an address are called, and a message counts as dispatched if one accepts it")
  func several() throws {
    let first = MoNet.on("/a") { (a: Int) in self.note("first \(a)") }
    let second = MoNet.on("/a") { (a: String) in self.note("second \(a)") }
    let third = MoNet.addAddressCallback("/a") { _ in self.note("third") }
    #expect(try count([OSCMessage("/a", [1])]) == NetCounts(received: 1, dispatched: 1))
    #expect(popMessages() == ["first 1", "third"])
    first.cancel()
    first.cancel()
    #expect(try count([OSCMessage("/a", ["x"])]) == NetCounts(received: 1, dispatched: 1))
    #expect(popMessages() == ["second x", "third"])
    MoNet.removeAddressCallback("/a")
    #expect(try count([OSCMessage("/a", [1])]) == NetCounts(received: 1, unmatched: 1))
    #expect(popMessages() == [])
    second.cancel()
    third.cancel()
  }

  @Test("a dispatch queue calls in order, and no longer after its callback was cancelled")
  func ownQueue() throws {
    let queue = DispatchQueue(label: "test")
    let token = MoNet.on("/q", deliver: .queue(queue)) { (a: Int) in
      dispatchPrecondition(condition: .onQueue(queue))
      self.note("\(a)")
    }
    #expect(try count((1...100).map { OSCMessage("/q", [.int32($0)]) }).dispatched == 100)
    queue.sync {}
    #expect(popMessages() == (1...100).map { "\($0)" })
    queue.suspend()
    #expect(try count([OSCMessage("/q", [101])]).dispatched == 1)
    token.cancel()
    queue.resume()
    queue.sync {}
    #expect(popMessages() == [])
  }

  @Test("a dispatch queue holds 1024 messages; more are dropped")
  func fullQueue() throws {
    let queue = DispatchQueue(label: "test")
    queue.suspend()
    let token = MoNet.on("/q", deliver: .queue(queue)) { (a: Int) in self.note("\(a)") }
    let messages = (0..<1030).map { OSCMessage("/q", [.int32($0)]) }
    let counts = try count(messages)
    #expect(counts == NetCounts(received: 1030, dispatched: 1024, dropped: 6))
    queue.resume()
    queue.sync {}
    #expect(popMessages().count == 1024)
    token.cancel()
  }

  @Test("the main thread calls while it waits, and no longer after the callback was cancelled")
  func main() throws {
    let token = MoNet.on("/main", deliver: .main) { (a: Int) in self.note("\(a)") }
    #expect(try count([OSCMessage("/main", [1]), OSCMessage("/main", [2])]).dispatched == 2)
    #expect(popMessages() == [])
    Run.current.main.runAll()
    #expect(popMessages() == ["1", "2"])
    #expect(try count([OSCMessage("/main", [3])]).dispatched == 1)
    token.cancel()
    Run.current.main.runAll()
    #expect(popMessages() == [])
  }

  @Test("messages handed over before a stop are not called after it, nor after the next start")
  func stopping() throws {
    let queue = DispatchQueue(label: "test")
    queue.suspend()
    let tokens = [
      MoNet.on("/h", deliver: .main) { (a: Int) in self.note("main \(a)") },
      MoNet.on("/h", deliver: .queue(queue)) { (message: NetMessage, a: Int) in self.note("queue \(a)") },
    ]
    defer { for token in tokens { token.cancel() } }
    #expect(try count([OSCMessage("/h", [1])]).dispatched == 1)
    MoNet.stop()
    try NetServer.shared.listen(port: port, in: Run(RunOptions()))
    #expect(try count([OSCMessage("/h", [2])]).dispatched == 1)
    queue.resume()
    queue.sync {}
    Run.current.main.runAll()
    #expect(popMessages() == ["queue 2", "main 2"])
  }

  @Test("a queue for the audio callback receives the values, and counts drops if it is full")
  func intoQueue() throws {
    let bends = MoQueue<Float>(capacity: 4)
    let token = MoNet.on("/bend", into: bends) { (a: Float) in 2 * a }
    defer { token.cancel() }
    let counts = try count((1...6).map { OSCMessage("/bend", [.int32($0)]) })
    #expect(counts == NetCounts(received: 6, dispatched: 4, dropped: 2))
    #expect((0..<5).map { _ in bends.pop() } == [2, 4, 6, 8, nil])
    #expect(bends.dropped == 2)
  }

  @Test("a schedule and a trigger receive future messages immediately, each with its time")
  func ahead() throws {
    let notes = MoSchedule<Int32>(capacity: 4)
    let strikes = MoTrigger()
    let tokens = [
      MoNet.on("/note", into: notes) { (a: Int32) in a }, MoNet.on("/hit", fire: strikes),
    ]
    defer { for token in tokens { token.cancel() } }
    let moment = SystemClock().now.advanced(bySeconds: 30)
    let before = MoNet.statistics.counts.dispatched
    let messages = [OSCMessage("/note", [7]), OSCMessage("/hit", [.float(0.5)])]
    try MoNet.sendBundle(at: moment, messages, to: "127.0.0.1:\(port)")
    #expect(wait { MoNet.statistics.counts.dispatched == before + 2 })
    // Between the tag and its reading the two clocks drift by microseconds; 10 ms is much more.
    #expect(notes.due(at: moment.advanced(bySeconds: -0.01)) == nil)
    #expect(notes.due(at: moment.advanced(bySeconds: 0.01)) == 7)
    #expect(strikes.due(at: moment.advanced(bySeconds: -0.01)) == nil)
    #expect(strikes.due(at: moment.advanced(bySeconds: 0.01)) == 0.5)
  }

  @Test("MoMu's own function names do the same")
  func momu() throws {
    #expect(MoNet.getListeningPort() == port)
    let token = MoNet.addAddressCallback("/old") { message in self.note("\(message.arguments)") }
    defer { token.cancel() }
    try MoNet.sendMessage("127.0.0.1", port, "/old", 1, "x", 0.5)
    #expect(wait { !self.heard.withLock { $0.isEmpty } })
    #expect(popMessages() == ["\([OSCArgument.int32(1), .string("x"), .float(0.5)])"])
    #expect(throws: NetError.badTarget("127.0.0.1:0", why: "a port must be 1 to 65535")) {
      try MoNet.sendMessage("127.0.0.1", 0, "/old")
    }
    MoNet.stopListening()
    #expect(MoNet.port == nil)
  }

  @Test("reports an invalid address, and adds no callback")
  func badPattern() {
    let log = LogCapture()
    MoNet.on("tilt") { (_: Float) in }.cancel()
    #expect(
      log.texts.contains(
        "cannot be sent as OSC: the address 'tilt' does not begin with '/'"))
  }
}
