import Glibc
import MoCore
import MoNetwork
import MoOSC
import MoRuntime
import MoTesting
import Synchronization
import Testing

@Suite("Connections to bad peers")
struct NetConnectionTests {
  @Test("pending messages follow when a slow reader reads, even if nothing more is sent")
  func slowReader() throws {
    let wire = try Wire()
    let listener = RawConnection.Listener()
    let message = OSCMessage("/blob", [.blob([UInt8](repeating: 1, count: 60_000))])
    let framed = try message.encoded().count + 4
    // More than the kernel buffers for a peer that does not read, and less than may wait beyond that.
    let count = 100
    for _ in 0..<count { try wire.send(message, to: "tcp:127.0.0.1:\(listener.port)") }
    #expect(listener.acceptConnection().read(count * framed) == count * framed)
  }

  @Test("threads that send to a new target at the same time share a connection")
  func shared() throws {
    let (sender, receiver) = (try Wire(), try Wire())
    let port = try receiver.listenTCP()
    receiver.keep("/n")
    let threads = try (0..<8).map { number in
      try MoThread(name: "sender") { _ in try? sender.send("/n", number, to: "tcp:127.0.0.1:\(port)") }
    }
    for thread in threads { thread.join() }
    #expect(receiver.wait(for: 8).count == 8)
    #expect(sender.server.sockets.watched.streams.count == 1)
    #expect(receiver.server.sockets.watched.streams.count == 1)
  }

  @Test("a message from a callback is sent when its connection is made, and is counted then")
  func fromCallback() throws {
    let wire = try Wire()
    let listener = RawConnection.Listener()
    let events = Locked<[NetEvent]>([])
    wire.server.events.add { event in events.withLock { $0.append(event) } }
    wire.on("/go") { _, _ in
      try? wire.send("/a", to: "tcp:127.0.0.1:\(listener.port)")
      return .taken
    }
    try wire.send("/go", to: "127.0.0.1:\(wire.port)")
    let framed = try OSCMessage("/a", []).encoded().count + 4
    let peer = listener.acceptConnection()
    #expect(peer.read(framed) == framed)
    #expect(wire.wait { !events.withLock { $0.isEmpty } })
    let address = try #require(NetAddress(ip: "127.0.0.1", port: listener.port))
    #expect(events.withLock { $0 == [.connected(address)] })
    #expect(wire.server.statistics.sent == 2)
    // At its end, the connection closes, which is another event.
    withExtendedLifetime(peer) {}
  }

  @Test("messages from a callback to a port without a listener count as unsent, with one report")
  func refusedInBackground() throws {
    let log = LogCapture()
    let wire = try Wire()
    let events = Locked<[NetEvent]>([])
    wire.server.events.add { event in events.withLock { $0.append(event) } }
    // The listener closes at once.
    let target = "tcp:127.0.0.1:\(RawConnection.Listener().port)"
    wire.on("/go") { _, _ in
      for _ in 0..<3 { try? wire.send("/a", to: target) }
      return .taken
    }
    try wire.send("/go", to: "127.0.0.1:\(wire.port)")
    #expect(wire.wait { !events.withLock { $0.isEmpty } })
    let error = NetError.disconnected(target, reason: "Connection refused")
    #expect(events.withLock { $0 == [.failed(target: target, error)] })
    #expect(wire.server.statistics.sent == 1 && wire.server.statistics.unsent == 3)
    try wire.send("/go", to: "127.0.0.1:\(wire.port)")
    #expect(wire.wait { wire.server.statistics.unsent == 6 })
    #expect(wire.server.statistics.sent == 2)
    #expect(log.texts.count { $0 == error.description } == 1)
  }

  @Test("a message that waits for its connection does not delay messages that waited for the same lookup")
  func noAnswer() throws {
    let wire = try Wire()
    wire.keep("/here")
    let failures = Atomic<Int>(0)
    wire.server.events.add { event in
      if case .failed = event { failures.wrappingAdd(1, ordering: .relaxed) }
    }
    // The queue has room for a single connection, even if its length is 0.
    let listener = RawConnection.Listener(backlog: 0)
    let first = try #require(RawConnection(to: listener.port))
    wire.on("/go") { _, _ in
      for _ in 0..<2 { try? wire.send("/a", to: "tcp:localhost:\(listener.port)") }
      try? wire.send("/here", to: "localhost:\(wire.port)")
      return .taken
    }
    try wire.send("/go", to: "127.0.0.1:\(wire.port)")
    #expect(wire.wait(for: 1).count == 1)
    // The attempts to connect have not ended yet.
    #expect(failures.load(ordering: .relaxed) == 0)
    withExtendedLifetime(first) {}
  }

  @Test("after a refusal, a callback connects to the target again only after a second")
  func refusals() throws {
    let (target, other) = (try NetTarget("tcp:10.0.0.1:9"), try NetTarget("tcp:10.0.0.2:9"))
    var refusals = NetRefusals()
    refusals.add(target, "Connection refused", at: .zero)
    #expect(refusals.reason(target, at: HostTime(seconds: 0.9)) == "Connection refused")
    #expect(refusals.reason(other, at: HostTime(seconds: 0.9)) == nil)
    #expect(refusals.reason(target, at: HostTime(seconds: 1)) == nil)
  }

  @Test("a second connection to the same target is closed, and the first is used")
  func second() throws {
    let sockets = NetSockets()
    let target = try NetTarget("tcp:127.0.0.1:9")
    let address = try #require(NetAddress(ip: "127.0.0.1", port: 9))
    let streams = (0..<2).map { _ in
      sockets.add(
        socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0), peer: address, target: target, at: .zero)
    }
    let first = try #require(streams[0])
    #expect(streams[1] === first && sockets.watched.streams.count == 1)
  }

  @Test("a peer that requests and never reads is disconnected, which is reported")
  func neverReads() throws {
    let wire = try Wire()
    let port = try wire.listenTCP()
    let ended = Locked<[String]>([])
    wire.server.events.add { event in
      if case .disconnected(_, let reason) = event { ended.withLock { $0.append(reason) } }
    }
    wire.on("/ask") { values, context in
      let message = NetMessage(values, context)
      do {
        while true { try message.reply("/answer", OSCArgument.blob([UInt8](repeating: 1, count: 60_000))) }
      } catch {}
      return .taken
    }
    let asker = try #require(RawConnection(to: port))
    asker.write(OSCLengthPrefix.frame(try OSCMessage("/ask", []).encoded()))
    #expect(wire.wait { !ended.withLock { $0.isEmpty } })
    #expect(ended.withLock { $0 } == ["the other side reads too slowly"])
  }

  @Test("if a reply fails because the peer has closed, the messages that it sent before still arrive")
  func closedBeforeReply() throws {
    let wire = try Wire()
    let port = try wire.listenTCP()
    let gate = WakeEvent()
    let ends = Atomic<Int>(0)
    wire.server.events.add { event in
      if case .disconnected = event { ends.wrappingAdd(1, ordering: .relaxed) }
    }
    wire.on("/wait") { _, _ in
      gate.wait(for: .seconds(20))
      return .taken
    }
    wire.on("/ask") { values, context in
      try? NetMessage(values, context).reply("/answer")
      return .taken
    }
    let framed = OSCLengthPrefix.frame(try OSCMessage("/ask", []).encoded())
    // The server reads three times: 16 KiB at a time.
    let count = 48_000 / framed.count
    do {
      let asker = try #require(RawConnection(to: port))
      #expect(wire.wait { wire.server.sockets.watched.streams.count == 1 })
      try wire.send("/wait", to: "127.0.0.1:\(wire.port)")
      asker.write(Array(repeatElement(framed, count: count).joined()))
    }
    gate.raise()
    #expect(wire.wait { ends.load(ordering: .relaxed) == 1 })
    #expect(wire.wait { wire.server.statistics.counts.received == count + 1 })
    #expect(ends.load(ordering: .relaxed) == 1)
  }

  @Test("many peers that send at the same time lose nothing")
  func manyAtOnce() throws {
    let wire = try Wire()
    let port = try wire.listenTCP()
    let gate = WakeEvent()
    wire.on("/wait") { _, _ in
      gate.wait(for: .seconds(20))
      return .taken
    }
    wire.on("/n") { _, _ in .taken }
    let connections = try (0..<8).map { _ in try #require(RawConnection(to: port)) }
    #expect(wire.wait { wire.server.sockets.watched.streams.count == 8 })
    try wire.send("/wait", to: "127.0.0.1:\(wire.port)")
    let framed = OSCLengthPrefix.frame(try OSCMessage("/n", []).encoded())
    let each = 60_000 / framed.count
    for connection in connections { connection.write(Array(repeatElement(framed, count: each).joined())) }
    gate.raise()
    #expect(wire.wait { wire.server.statistics.counts.received == 8 * each + 1 })
    #expect(wire.wait { wire.server.statistics.counts.dispatched == 8 * each + 1 })
    #expect(wire.server.statistics.counts.dropped == 0)
  }

  @Test("connections are accepted and read while datagrams flood a slow callback")
  func besideFlood() throws {
    let wire = try Wire()
    let port = try wire.listenTCP()
    let pause = WakeEvent()
    let goesOn = Atomic<Bool>(true)
    wire.on("/slow") { _, _ in
      if goesOn.load(ordering: .relaxed) { pause.wait(for: .milliseconds(5)) }
      return .taken
    }
    wire.keep("/connection")
    let target = "127.0.0.1:\(wire.port)"
    // So many that a reader never empties the socket.
    let flood = try (0..<4).map { _ in
      let sender = try Wire()
      return try MoThread(name: "flood") { _ in
        while goesOn.load(ordering: .relaxed) { try? sender.send("/slow", to: target) }
      }
    }
    defer {
      goesOn.store(false, ordering: .relaxed)
      for thread in flood { thread.join() }
    }
    #expect(wire.wait { wire.server.statistics.waiting > 1000 })
    let connection = try #require(RawConnection(to: port))
    connection.write(OSCLengthPrefix.frame(try OSCMessage("/connection", []).encoded()))
    #expect(wire.wait { !wire.server.sockets.watched.streams.isEmpty })
    // The connection's message waits while there is no room, and is not lost.
    goesOn.store(false, ordering: .relaxed)
    #expect(wire.wait(for: 1).count == 1)
  }

  @Test("a machine has sixteen connections at most; after a minute, the one silent longest makes room")
  func mostOfOne() throws {
    let sockets = try Wire().server.sockets
    let (start, host) = (HostTime(seconds: 1000), try #require(NetAddress(ip: "192.0.2.7", port: 5000)))
    var ends: [Int32] = []
    for number in 0..<16 {
      #expect(sockets.room(for: host, at: start).hasRoom)
      let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
      let stream = sockets.add(
        descriptor, peer: host.with(port: 5000 + number), target: nil,
        at: start.advanced(bySeconds: Double(16 - number)))
      #expect(stream != nil)
      ends.append(descriptor)
    }
    let soon = sockets.room(for: host.with(port: 9), at: start.advanced(bySeconds: 60))
    #expect(!soon.hasRoom && soon.idle == nil && soon.most == "a machine may have at most 16 connections")
    let later = sockets.room(for: host, at: start.advanced(bySeconds: 61))
    #expect(!later.hasRoom && later.idle?.descriptor == ends[15])
    // Other machines still have room, and so has this machine.
    for other in ["192.0.2.8", "127.0.0.1"] {
      #expect(sockets.room(for: try #require(NetAddress(ip: other, port: 5000)), at: start).hasRoom)
    }
  }

  @Test("connections beyond the limit are refused, which is reported once")
  func tooMany() throws {
    let log = LogCapture()
    let wire = try Wire()
    let port = try wire.listenTCP()
    let kept = (0..<NetSockets.mostStreams).compactMap { _ in RawConnection(to: port) }
    #expect(wire.wait { wire.server.sockets.watched.streams.count == 256 })
    for _ in 0..<20 {
      let refused = try #require(RawConnection(to: port))
      #expect(refused.read(1) == 0)
    }
    #expect(log.texts.count { $0.contains(" may have at most ") } == 1)
    // When one closes, another may come.
    withExtendedLifetime(kept) {}
  }
}
