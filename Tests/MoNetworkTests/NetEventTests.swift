import MoCore
import MoNetwork
import MoOSC
import MoRuntime
import Synchronization
import Testing

@Suite("Events on the network")
struct NetEventTests {
  @Test("may be answered immediately: a callback may send, and so open a connection that is reported, too")
  func nested() throws {
    let wire = try Wire()
    let first = RawConnection.Listener()
    let second = RawConnection.Listener()
    let events = Locked<[NetEvent]>([])
    wire.server.events.add { event in
      let isFirst = events.withLock { events in
        events.append(event)
        return events.count == 1
      }
      if isFirst { try? wire.send("/second", to: "tcp:127.0.0.1:\(second.port)") }
    }
    let sending = try MoThread(name: "sending") { _ in
      try? wire.send("/first", to: "tcp:127.0.0.1:\(first.port)")
    }
    #expect(wire.wait { sending.isFinished })
    let expected = try [first.port, second.port].map { try #require(NetAddress(ip: "127.0.0.1", port: $0)) }
      .map { NetEvent.connected($0) }
    // Under the lock: another event may still be added to the same array.
    #expect(events.withLock { $0 == expected })
  }

  @Test("are reported while a callback runs: an undelivered datagram does not wait for it")
  func whileBusy() throws {
    let wire = try Wire()
    let probe = RawConnection.Listener()
    let isTold = Atomic<Bool>(false)
    let told = WakeEvent()
    wire.server.events.add { event in
      if case .undelivered = event { told.raise() }
    }
    wire.on("/busy") { _, _ in
      isTold.store(told.wait(for: .seconds(20)), ordering: .relaxed)
      return .taken
    }
    try wire.send("/busy", to: "127.0.0.1:\(wire.port)")
    // A program accepts connections at that port, but no program receives datagrams there.
    try wire.send("/lost", to: "127.0.0.1:\(probe.port)")
    #expect(wire.wait { wire.server.statistics.counts.dispatched == 1 })
    let wasTold = isTold.load(ordering: .relaxed)
    #expect(wasTold)
  }

  @Test("leave the server free: a callback for `listening` may open more ports, or stop the server")
  func listening() throws {
    let server = NetServer()
    let run = Run(RunOptions())
    server.events.add { event in
      guard case .listening(let port) = event else { return }
      try? server.listenTCP(port: port, in: run)
      server.stop()
    }
    let starting = try MoThread(name: "starting") { _ in try? server.listen(port: 0, in: run) }
    let signal = WakeEvent()
    for _ in 0..<2000 where !starting.isFinished { signal.wait(for: .milliseconds(10)) }
    #expect(starting.isFinished)
    #expect(server.port == nil)
  }
}
