import MoCore
import MoNetwork
import MoOSC
import Testing

@Suite("Answers to pings and rigs")
struct NetAnswerTests {
  /// Returns a server that records its answers in place of sending them.
  private func net() -> OfflineNetServer {
    let net = OfflineNetServer()
    let (pings, rigs) = (PingAnswers(), RigAnswers())
    net.on("/momu/ping") { [net] values, context in
      if let answer = pings.answer(to: NetMessage(values, context)) { net.record("\(answer)") }
      return .taken
    }
    net.on("/momu/rig/confirm") { [net] values, context in
      let answer = rigs.answer(to: NetMessage(values, context)) { _ in 7 }
      if case .message(let seen)? = answer { net.record(seen.arguments.count == 4 ? "seen" : "\(seen)") }
      return .taken
    }
    return net
  }

  private func ping(_ number: Int32) -> OSCMessage { OSCMessage("/momu/ping", [.int32(number)]) }

  private func request(_ values: [OSCArgument]) -> OSCMessage { OSCMessage("/momu/rig/confirm", values) }

  @Test("a rig's request needs its exact types, since another request could be shorter than its answer")
  func types() throws {
    let net = net()
    let right: [OSCArgument] = [.string("rig"), .int64(1), .int64(2), .int64(3)]
    for wrong in [
      [.string("rig"), .bool(true), .bool(true), .int32(3)],
      [.string("rig"), .int32(1), .int64(2), .int64(3)],
      [.symbol("rig"), .int64(1), .int64(2), .int64(3)], right + [.nil], Array(right.dropLast()),
    ] as [[OSCArgument]] {
      try net.arrive(.message(request(wrong)))
      net.deliver()
      net.clock.advance(by: .seconds(1))
    }
    #expect(net.popMessages() == [])
    try net.arrive(.message(request(right)))
    net.deliver()
    #expect(net.popMessages() == ["seen"])
  }

  @Test("a datagram with many requests gets a single answer")
  func single() throws {
    let net = net()
    let right = request([.string("rig"), .int64(1), .int64(2), .int64(3)])
    for _ in 0..<2 {
      try net.arrive(.bundle(OSCBundle(.immediate, messages: [right, right, right])))
      net.clock.advance(by: .seconds(1))
    }
    net.deliver()
    #expect(net.popMessages() == ["seen", "seen"])
  }

  @Test("requests with time tags in the future get no answer, since those of several datagrams would mix")
  func future() throws {
    let net = net()
    for start in [0.0, 0.001] {
      let inner = (0..<10).map { step in
        OSCPacket.bundle(OSCBundle(net.tag(in: 5 + start + 0.002 * Double(step)), messages: [ping(1)]))
      }
      try net.arrive(.bundle(OSCBundle(.immediate, inner)))
      net.clock.advance(by: .microseconds(10))
    }
    net.clock.advance(by: .seconds(10))
    net.deliver()
    #expect(net.popMessages() == [])
    #expect(net.counts.dispatched == 20)
  }

  @Test("after 256 addresses, a run of a rig gets no count for its next address, but still for the others")
  func manyAddresses() throws {
    var senders = RigSenders()
    let addresses = try (1...257).map { try #require(NetAddress(ip: "10.78.0.1", port: $0)) }
    for count in 1...256 {
      #expect(senders.senders(of: 1, with: addresses[count - 1]) == Array(addresses.prefix(count)))
    }
    #expect(senders.senders(of: 1, with: addresses[256]) == nil)
    #expect(senders.senders(of: 1, with: addresses[0]) == Array(addresses.prefix(256)))
  }

  @Test("an answer is not longer than its request, even if a text is not UTF-8")
  func noLonger() throws {
    let net = net()
    // The reader replaces each of the bytes 0xFF by three bytes.
    let bad = [UInt8]("/momu/ping\0\0,s\0\0".utf8) + [UInt8](repeating: 0xFF, count: 7) + [0]
    net.arrive(bytes: bad)
    net.deliver()
    #expect(net.popMessages() == [] && net.counts.dispatched == 1)
    net.clock.advance(by: .seconds(1))
    try net.arrive(.message(ping(2)))
    net.deliver()
    #expect(net.popMessages() == ["\(OSCPacket.message(OSCMessage("/momu/pong", [.int32(2)])))"])
  }
}
