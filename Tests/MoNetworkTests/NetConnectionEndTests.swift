import CMoSystem
import MoCore
import MoNetwork
import MoRuntime
import MoTesting
import Synchronization
import Testing

@Suite("Ends of connections and of attempts to connect")
struct NetConnectionEndTests {
  /// Sends a message on a thread that must not wait, as from a callback.
  private func sendWithoutWaiting(_ wire: Wire, to target: String) throws {
    momu_thread_set_timely(1)
    defer { momu_thread_set_timely(0) }
    try wire.send("/a", to: target)
  }

  @Test("a failed attempt to connect is reported even if waiting messages stop the reading of connections")
  func failsDuringFlood() throws {
    let log = LogCapture()
    let wire = try Wire()
    let gate = WakeEvent()
    let ends = Atomic<Bool>(false)
    let failures = Atomic<Int>(0)
    wire.server.events.add { event in
      if case .failed = event { failures.wrappingAdd(1, ordering: .relaxed) }
    }
    wire.on("/slow") { _, _ in
      if !ends.load(ordering: .relaxed) { gate.wait(for: .seconds(20)) }
      return .taken
    }
    let isFull = wire.wait {
      for _ in 0..<50 { try? wire.send("/slow", to: "127.0.0.1:\(wire.port)") }
      return wire.server.statistics.waiting > 2000
    }
    #expect(isFull)
    // The listener closes at once.
    let target = "tcp:127.0.0.1:\(RawConnection.Listener().port)"
    let unsent = wire.server.statistics.unsent
    try sendWithoutWaiting(wire, to: target)
    let hasFailed = wire.wait {
      // One more callback returns, so that the network thread can interrupt the delivery.
      gate.raise()
      return failures.load(ordering: .relaxed) > 0
    }
    #expect(hasFailed && wire.server.inbound.isBusy)
    #expect(wire.server.statistics.unsent == unsent + 1 && wire.server.sockets.watched.streams.isEmpty)
    let error = NetError.disconnected(target, reason: "Connection refused")
    #expect(log.texts.contains(error.description))
    ends.store(true, ordering: .relaxed)
    gate.raise()
  }

  @Test("the end of a connection is reported once, before the next connection to the same address")
  func order() throws {
    let wire = try Wire()
    let listener = RawConnection.Listener()
    let target = "tcp:127.0.0.1:\(listener.port)"
    let events = Locked<[String]>([])
    wire.server.events.add { event in
      switch event {
      case .connected: events.withLock { $0.append("connected") }
      case .disconnected: events.withLock { $0.append("disconnected") }
      default: break
      }
    }
    let gate = WakeEvent()
    let isWaiting = Atomic<Bool>(false)
    wire.on("/wait") { _, _ in
      isWaiting.store(true, ordering: .relaxed)
      gate.wait(for: .seconds(60))
      return .taken
    }
    try wire.send("/a", to: target)
    let peer = listener.acceptConnection()
    // From here on, the network thread cannot read the end of the connection.
    try wire.send("/wait", to: "127.0.0.1:\(wire.port)")
    #expect(wire.wait { isWaiting.load(ordering: .relaxed) })
    peer.shutDown()
    #expect(wire.wait { (try? wire.send("/a", to: target)) == nil })
    #expect(events.withLock { $0 } == ["connected", "disconnected"])
    try wire.send("/a", to: target)
    gate.raise()
    // The network thread has read the end of the first connection.
    #expect(wire.wait { wire.server.sockets.watched.streams.count == 1 })
    #expect(events.withLock { $0 } == ["connected", "disconnected", "connected"])
  }

  @Test("messages that wait for a connection count as unsent when the server stops")
  func stopsWhileConnecting() throws {
    let wire = try Wire()
    // The queue has room for a single connection, even if its length is 0.
    let listener = RawConnection.Listener(backlog: 0)
    let first = try #require(RawConnection(to: listener.port))
    for _ in 0..<2 { try sendWithoutWaiting(wire, to: "tcp:127.0.0.1:\(listener.port)") }
    wire.server.stop()
    #expect(wire.server.statistics.sent == 0 && wire.server.statistics.unsent == 2)
    withExtendedLifetime(first) {}
  }
}
