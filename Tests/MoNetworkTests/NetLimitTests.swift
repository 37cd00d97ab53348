import MoCore
import MoNetwork
import MoOSC
import Synchronization
import Testing

@Suite("Incoming messages at the limits")
struct NetLimitTests {
  @Test("delivers the newest value of a `latest` address even if everything is full of other messages")
  func latestWhenFull() throws {
    let net = OfflineNetServer()
    net.listen("/note")
    net.listen("/fader", .latest)
    for value in 0..<10_000 { try net.arrive(.message(OSCMessage("/note", [.int32(Int32(value))]))) }
    for value in 1...3 { try net.arrive(.message(OSCMessage("/fader", [.int32(Int32(value))]))) }
    net.deliver()
    let heard = net.popMessages()
    #expect(heard.filter { $0.hasPrefix("/fader") } == ["/fader 3.0"])
    #expect(heard.count == 8192 + 1 && net.isBalanced)
  }

  @Test("senders that share a number do not affect each other's order")
  func orderOfTheRest() throws {
    let net = OfflineNetServer()
    net.listen("/a", .ordered)
    for port in 1...300 { try net.arrive(.message(OSCMessage("/b", [])), from: "10.0.0.9", port: port) }
    for (seconds, host) in [(-0.1, "10.0.0.1"), (-2, "10.0.0.2"), (-0.05, "10.0.0.1"), (-1.9, "10.0.0.2")] {
      let message = OSCMessage("/a", [.double(seconds)])
      try net.arrive(.bundle(OSCBundle(net.tag(in: seconds), messages: [message])), from: host)
    }
    net.deliver()
    #expect(net.popMessages() == ["/a -0.1", "/a -2.0", "/a -0.05", "/a -1.9"])
  }

  @Test(
    "time tags at their extremes are late, too far ahead or immediate, and never mistaken",
    arguments: [
      // Zero is never a real time: it comes from a sender that sets no tag.
      (0, NetCounts(received: 1, dispatched: 1)),
      (1, NetCounts(received: 1, dispatched: 1)),
      // 7 February 2036, a quarter of a nanosecond after the overflow of the seconds.
      (2, NetCounts(received: 1, dropped: 1)),
      (0x7FFF_FFFF_FFFF_FFFF, NetCounts(received: 1, dropped: 1)),
      (0x8000_0000_0000_0000, NetCounts(received: 1, dispatched: 1, late: 1)),
      (0xFFFF_FFFF_FFFF_FFFF, NetCounts(received: 1, dropped: 1)),
    ] as [(UInt64, NetCounts)])
  func ends(tag: UInt64, counts: NetCounts) throws {
    let net = OfflineNetServer()
    net.listen("/a")
    try net.arrive(.bundle(OSCBundle(OSCTimeTag(rawValue: tag), messages: [OSCMessage("/a", [])])))
    net.deliver()
    #expect(net.counts == counts)
  }

  @Test("a cancelled callback releases its objects, whose deinit may call the server")
  func letGo() throws {
    /// Calls the server in its deinit.
    final class Instrument: Sendable {
      let net: OfflineNetServer
      init(_ net: OfflineNetServer) { self.net = net }
      func play() {}
      deinit { net.record("gone, \(net.counts.received) received") }
    }
    let net = OfflineNetServer()
    do {
      let instrument = Instrument(net)
      net.on("/a") { _, _ in
        instrument.play()
        return .taken
      }
    }
    try net.arrive(.message(OSCMessage("/a", [])))
    net.deliver()
    let removing = try MoThread(name: "removing") { _ in
      net.server.inbound.removeAll(at: "/a")
      net.record("removed")
      // The table is rebuilt here, and the callback is removed from it.
      try? net.arrive(.message(OSCMessage("/a", [])))
    }
    let signal = WakeEvent()
    for _ in 0..<2000 where !removing.isFinished { signal.wait(for: .milliseconds(10)) }
    #expect(removing.isFinished)
    #expect(net.popMessages() == ["gone, 1 received", "removed"])
  }

  @Test("after a stop from within a callback, the other callbacks of the message are not called")
  func stopsOthers() throws {
    let wire = try Wire()
    let calls = Locked<[Int]>([])
    for number in 0..<3 {
      wire.on("/stop") { _, _ in
        calls.withLock { $0.append(number) }
        if number == 1 { wire.server.stop() }
        return .taken
      }
    }
    try wire.send("/stop", to: "127.0.0.1:\(wire.port)")
    #expect(wire.wait { wire.server.port == nil })
    wire.server.stop()
    try wire.server.listen(port: 0, in: wire.run)
    wire.server.stop()
    #expect(calls.withLock { $0 } == [0, 1])
  }

  @Test("a callback may stop and restart its own server again and again")
  func restartsWithin() throws {
    let wire = try Wire()
    let calls = Atomic<Int>(0)
    wire.on("/again") { _, _ in
      let count = calls.wrappingAdd(1, ordering: .relaxed).newValue
      wire.server.stop()
      try? wire.server.listen(port: wire.port, in: wire.run)
      if count < 30 { try? wire.send("/again", to: "127.0.0.1:\(wire.port)") }
      return .taken
    }
    try wire.send("/again", to: "127.0.0.1:\(wire.port)")
    #expect(wire.wait { calls.load(ordering: .relaxed) == 30 })
  }

  @Test("a waiting message is not delayed if the wall clock is set forward meanwhile")
  func clockSetForward() throws {
    let wire = try Wire()
    let wall = OfflineNetServer.ManualNetClock()
    let start = SystemNetClock().wallOffset()
    wall.offset.store(start, ordering: .relaxed)
    wire.server.inbound.use(clock: SystemClock(), wall: wall)
    wire.keep("/a")
    let due = SystemClock().now.advanced(bySeconds: 50)
    let tag = OSCTimeTag(due, wallOffset: start)
    try wire.server.outbound.send(
      .bundle(OSCBundle(tag, messages: [OSCMessage("/a", [])])), to: "127.0.0.1:\(wire.port)")
    #expect(wire.wait { wire.server.statistics.waiting == 1 })
    wall.offset.add(49_900_000_000, ordering: .relaxed)
    #expect(wire.wait(for: 1).count == 1)
  }
}
