import MoCore
import MoNetwork
import MoOSC
import Testing

@Suite("Answers to pings and rigs")
struct NetAnswerTests {
  /// Returns a server that records its answers in place of sending them.
  private func room() -> Mailroom {
    let room = Mailroom()
    let (pings, rigs) = (PingAnswers(), RigAnswers())
    room.on("/momu/ping") { [room] values, context in
      if let answer = pings.answer(to: NetMessage(values, context)) { room.note("\(answer)") }
      return .taken
    }
    room.on("/momu/rig/confirm") { [room] values, context in
      let answer = rigs.answer(to: NetMessage(values, context)) { _ in 7 }
      if case .message(let seen)? = answer { room.note(seen.arguments.count == 4 ? "seen" : "\(seen)") }
      return .taken
    }
    return room
  }

  private func ping(_ number: Int32) -> OSCMessage { OSCMessage("/momu/ping", [.int32(number)]) }

  private func request(_ values: [OSCArgument]) -> OSCMessage { OSCMessage("/momu/rig/confirm", values) }

  @Test("a rig's request needs its exact types, since another request could be shorter than its answer")
  func types() throws {
    let room = room()
    let right: [OSCArgument] = [.string("rig"), .int64(1), .int64(2), .int64(3)]
    for wrong in [
      [.string("rig"), .bool(true), .bool(true), .int32(3)],
      [.string("rig"), .int32(1), .int64(2), .int64(3)],
      [.symbol("rig"), .int64(1), .int64(2), .int64(3)], right + [.nil], Array(right.dropLast()),
    ] as [[OSCArgument]] {
      try room.arrive(.message(request(wrong)))
      room.deliver()
      room.clock.advance(by: .seconds(1))
    }
    #expect(room.take() == [])
    try room.arrive(.message(request(right)))
    room.deliver()
    #expect(room.take() == ["seen"])
  }

  @Test("a datagram with many requests gets a single answer")
  func single() throws {
    let room = room()
    let right = request([.string("rig"), .int64(1), .int64(2), .int64(3)])
    for _ in 0..<2 {
      try room.arrive(.bundle(OSCBundle(.immediate, messages: [right, right, right])))
      room.clock.advance(by: .seconds(1))
    }
    room.deliver()
    #expect(room.take() == ["seen", "seen"])
  }

  @Test("requests with time tags in the future get no answer, since those of several datagrams would mix")
  func future() throws {
    let room = room()
    for start in [0.0, 0.001] {
      let inner = (0..<10).map { step in
        OSCPacket.bundle(OSCBundle(room.tag(in: 5 + start + 0.002 * Double(step)), messages: [ping(1)]))
      }
      try room.arrive(.bundle(OSCBundle(.immediate, inner)))
      room.clock.advance(by: .microseconds(10))
    }
    room.clock.advance(by: .seconds(10))
    room.deliver()
    #expect(room.take() == [])
    #expect(room.counts.dispatched == 20)
  }

  @Test("an answer is not longer than its request, even if a text is not UTF-8")
  func noLonger() throws {
    let room = room()
    // The reader replaces each of the bytes 0xFF by three bytes.
    let bad = [UInt8]("/momu/ping\0\0,s\0\0".utf8) + [UInt8](repeating: 0xFF, count: 7) + [0]
    room.arrive(bytes: bad)
    room.deliver()
    #expect(room.take() == [] && room.counts.dispatched == 1)
    room.clock.advance(by: .seconds(1))
    try room.arrive(.message(ping(2)))
    room.deliver()
    #expect(room.take() == ["\(OSCPacket.message(OSCMessage("/momu/pong", [.int32(2)])))"])
  }
}
