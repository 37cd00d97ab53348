import Glibc
import MoCore
import MoNetwork
import MoOSC
import MoRuntime
import Synchronization
import Testing

@Suite("Messages over the network")
struct NetWireTests {
  @Test("a message arrives with its values and its sender, and the answer comes back")
  func conversation() throws {
    let left = try Wire()
    let right = try Wire()
    left.keep("/answer")
    right.on("/drum/hit") { values, context in
      let message = NetMessage(values, context)
      try? message.reply("/answer", message.arguments.count, message.sender.port)
      return .taken
    }
    try left.send("/drum/hit", 3, 0.8, "left", true, to: "127.0.0.1:\(right.port)")
    let answer = try #require(left.wait(for: 1).first)
    #expect(answer.arguments == [4, .int32(Int32(left.port))])
    #expect(answer.sender.description == "127.0.0.1:\(right.port)")
    // The kernel stamped it before the test read the clock.
    #expect(answer.arrival <= SystemClock().now && answer.time == answer.arrival)
  }

  @Test(
    "IPv6, names, broadcast and multicast reach the same port",
    arguments: [
      "[::1]:", "localhost:", "broadcast%lo:", "224.0.1.199%lo:", "127.255.255.255:",
    ])
  func targets(target: String) throws {
    let wire = try Wire()
    wire.keep("/here")
    try wire.server.join("224.0.1.199%lo")
    try wire.send("/here", 1, to: target + "\(wire.port)")
    #expect(wire.wait(for: 1).first?.arguments == [1])
  }

  @Test(
    "connections carry messages in both directions and framings, also longer than datagrams",
    arguments: ["tcp", "slip"])
  func streams(framing: String) throws {
    let left = try Wire()
    let right = try Wire()
    let port = try right.listenTCP()
    left.keep("/answer")
    right.on("/question") { values, context in
      try? NetMessage(values, context).reply("/answer", values.count)
      return .taken
    }
    let large = OSCArgument.blob([UInt8](repeating: 0xC0, count: 65_500))
    for count in 1...200 {
      try left.send(
        OSCMessage("/question", Array(repeating: 1, count: count)), to: "\(framing):127.0.0.1:\(port)")
    }
    try left.send("/question", large, to: "\(framing):127.0.0.1:\(port)")
    let answers = left.wait(for: 201).map { $0.arguments[0] }
    #expect(answers == (1...200).map { .int32($0) } + [1])
  }

  @Test("closes a connection that sends nonsense, but no other")
  func nonsense() throws {
    let wire = try Wire()
    let ended = Locked<[String]>([])
    wire.server.events.add { event in
      if case .disconnected(_, let reason) = event { ended.withLock { $0.append(reason) } }
    }
    wire.keep("//*")
    let port = try wire.listenTCP()
    let other = try Wire()
    try other.send("/before", to: "tcp:127.0.0.1:\(port)")
    let raw = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(raw) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = UInt16(port).bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let size = socklen_t(MemoryLayout<sockaddr_in>.size)
    #expect(
      withUnsafePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(raw, $0, size) }
      } == 0)
    #expect(write(raw, [0, 0, 0, 3, 1, 2, 3] as [UInt8], 7) == 7)
    #expect(wire.wait { !ended.withLock { $0.isEmpty } })
    #expect(
      ended.withLock { $0 } == [
        "not OSC at byte 0: the size of a packet is 3, but must be a multiple of 4 from 8 to 65532"
      ])
    try other.send("/after", to: "tcp:127.0.0.1:\(port)")
    #expect(wire.wait(for: 2).map(\.address) == ["/before", "/after"])
  }

  @Test("a batch arrives complete and in order, each message as a separate packet")
  func batch() throws {
    let wire = try Wire()
    wire.keep("/n")
    var batch = NetBatch(wire.server.outbound)
    for number in 0..<300 {
      try batch.send("/n", number, String(repeating: "x", count: number % 3), to: "127.0.0.1:\(wire.port)")
    }
    #expect(batch.count == 300)
    try wire.server.outbound.send(batch)
    #expect(wire.wait(for: 300).map { $0.arguments[0] } == (0..<300).map { .int32($0) })
    #expect(wire.server.statistics.sent == 300)
  }

  @Test("stops and starts again on the same port, any number of times, and is silent in between")
  func restarts() throws {
    let wire = try Wire()
    wire.keep("//*")
    let other = try Wire()
    for round in 0..<20 {
      wire.server.stop()
      #expect(wire.server.port == nil)
      try other.send("/lost", round, to: "127.0.0.1:\(wire.port)")
      try wire.server.listen(port: wire.port, in: wire.run)
      try other.send("/found", round, to: "127.0.0.1:\(wire.port)")
      #expect(wire.wait(for: round + 1).count == round + 1)
    }
    #expect(wire.wait(for: 20).allSatisfy { $0.address == "/found" })
  }

  @Test("an interface can be chosen while the server runs, and cleared again")
  func interface() throws {
    let wire = try Wire()
    let loop = try #require(NetInterface.all().first { $0.isLoopback })
    try wire.server.listen(port: wire.port, interface: loop.name, in: wire.run)
    let filter = { wire.server.interface.load(ordering: .relaxed) }
    #expect(filter() == UInt32(loop.index))
    try wire.server.listen(port: wire.port, in: wire.run)
    #expect(filter() == 0)
    let known = NetInterface.all().filter(\.isUp).map(\.name)
    #expect(throws: NetError.noInterface("nosuch0", known: known)) {
      try wire.server.listen(port: wire.port, interface: "nosuch0", in: wire.run)
    }
  }

  @Test("a batch skips unreachable targets, and reports them")
  func batchGoesOn() throws {
    let wire = try Wire()
    wire.keep("/n")
    var batch = NetBatch(wire.server.outbound)
    for number in 0..<10 {
      // No route to this address goes through the loopback.
      try batch.send("/n", number, to: number == 3 ? "[fe80::1%lo]:9" : "127.0.0.1:\(wire.port)")
    }
    #expect(throws: NetError.self) { try wire.server.outbound.send(batch) }
    #expect(wire.wait(for: 9).map { $0.arguments[0] } == [0, 1, 2, 4, 5, 6, 7, 8, 9])
    #expect(wire.server.statistics.sent == 9 && wire.server.statistics.unsent == 1)
  }

  @Test("a batch accepts messages longer than a datagram for a connection")
  func longBatch() throws {
    let wire = try Wire()
    let listener = RawConnection.Listener()
    let blob = OSCArgument.blob([UInt8](repeating: 1, count: 65_508))
    var batch = NetBatch(wire.server.outbound)
    try batch.send("/n", blob, to: "tcp:127.0.0.1:\(listener.port)")
    try wire.server.outbound.send(batch)
    #expect(listener.acceptConnection().read(4 + 65_520) == 4 + 65_520)
    #expect(throws: NetError.tooLong(bytes: 65_520, most: 65_507)) {
      try batch.send("/n", blob, to: "127.0.0.1:9")
    }
    #expect(batch.count == 0)
  }

  @Test(
    "a batch loses only the messages for refused connections, and sends the rest", arguments: ["tcp", "slip"])
  func batchRefused(transport: String) throws {
    let wire = try Wire()
    wire.keep("/n")
    // The discard port (RFC 863): no program accepts connections there.
    let nobody = "\(transport):127.0.0.1:9"
    var batch = NetBatch(wire.server.outbound)
    #expect(throws: NetError.self) { try batch.send("/n", 0, to: nobody) }
    for number in 1...3 {
      try batch.send("/n", number, to: "127.0.0.1:\(wire.port)")
      #expect(throws: NetError.self) { try batch.send("/n", "to nobody", 0, to: nobody) }
    }
    #expect(batch.count == 3)
    try wire.server.outbound.send(batch)
    #expect(wire.wait(for: 3).map { $0.arguments[0] } == [1, 2, 3])
  }

  @Test("reports and counts messages that waited for an unknown name, from a batch too")
  func unknownInBackground() throws {
    let wire = try Wire()
    // A label may have 63 characters, so the system asks no name server, whose timeout could be long. There are two
    // names, since a name that was just not found is an error immediately.
    let targets = ["a", "b"].map { String(repeating: $0, count: 64) + ".invalid:9" }
    let failed = Locked<[String]>([])
    wire.server.events.add { event in
      if case .failed(let target, _) = event { failed.withLock { $0.append(target) } }
    }
    wire.on("/go") { _, _ in
      try? wire.send("/a", to: targets[0])
      var batch = NetBatch(wire.server.outbound)
      try? batch.send("/a", to: targets[1])
      return .taken
    }
    try wire.send("/go", to: "127.0.0.1:\(wire.port)")
    #expect(wire.wait { failed.withLock { $0.count } == 2 })
    #expect(failed.withLock { $0.sorted() } == targets)
    #expect(wire.server.statistics.unsent == 2)
  }

  @Test("can be stopped from within a callback, which is then the last")
  func stopsWithin() throws {
    let wire = try Wire()
    let calls = Atomic<Int>(0)
    wire.on("/stop") { _, _ in
      calls.wrappingAdd(1, ordering: .relaxed)
      wire.server.stop()
      return .taken
    }
    var batch = NetBatch(wire.server.outbound)
    for _ in 0..<50 { try batch.send("/stop", to: "127.0.0.1:\(wire.port)") }
    try wire.server.outbound.send(batch)
    #expect(wire.wait { wire.server.port == nil })
    wire.server.stop()
    #expect(calls.load(ordering: .relaxed) == 1)
  }

  @Test("a datagram to a port without a listener comes back as undelivered")
  func undelivered() throws {
    let wire = try Wire()
    let reports = Locked<[NetEvent]>([])
    wire.server.events.add { event in reports.withLock { $0.append(event) } }
    let port = try freePort()
    try wire.send("/lost", to: "127.0.0.1:\(port)")
    #expect(wire.wait { !reports.withLock { $0.isEmpty } })
    let address = try #require(NetAddress(ip: "127.0.0.1", port: port))
    #expect(
      reports.withLock { $0 } == [
        .undelivered(
          address,
          reason:
            "no program listens at 127.0.0.1:\(port): is the program there running, and is the port right?")
      ])
    try wire.send("/lost", to: "127.0.0.1:\(port)")
    #expect(wire.wait { wire.server.statistics.undelivered == 2 })
  }

  @Test(
    "a flood into a slow callback keeps its counts exact and its last value, and stopping still works")
  func flood() throws {
    let wire = try Wire()
    let sender = try Wire()
    let last = Atomic<Int>(-1)
    let slow = WakeEvent()
    wire.on("/every") { _, _ in
      slow.wait(for: .milliseconds(20))
      return .taken
    }
    wire.on("/latest", .latest) { values, _ in
      last.store(Int(osc: values[0]) ?? -1, ordering: .relaxed)
      return .taken
    }
    let count = 200_000
    let target = "127.0.0.1:\(wire.port)"
    for start in stride(from: 0, to: count, by: 64) {
      var batch = NetBatch(sender.server.outbound)
      for number in start..<min(start + 64, count) {
        try batch.send(number % 2 == 0 ? "/every" : "/latest", number, to: target)
      }
      try sender.server.outbound.send(batch)
    }
    #expect(sender.server.statistics.sent == count)
    let isIn = { (count: Int) in
      wire.wait {
        let statistics = wire.server.statistics
        return statistics.counts.received + statistics.kernelDropped == count
      }
    }
    #expect(isIn(count))
    // The kernel may have dropped the last of a flood; this one has room in it, though everything here is full.
    try sender.send("/latest", count, to: target)
    #expect(isIn(count + 1))
    #expect(wire.server.statistics.waiting <= 8192 + 1)
    // It does not wait behind callbacks that take minutes in total; nor must a stop.
    #expect(wire.wait { last.load(ordering: .relaxed) == count })
    wire.server.stop()
    let statistics = wire.server.statistics
    #expect(statistics.waiting == 0)
    #expect(statistics.counts.dispatched + statistics.counts.dropped + statistics.kernelDropped == count + 1)
    #expect(statistics.counts.dispatched < count)
  }

  /// Returns an unused TCP port; another test may take it meanwhile, but that is unlikely.
  private func freePort() throws -> Int {
    let probe = NetServer()
    try probe.listen(port: 0, in: Run(RunOptions()))
    defer { probe.stop() }
    return try #require(probe.port)
  }
}
