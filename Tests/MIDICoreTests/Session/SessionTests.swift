import MIDICore
import MoCore
import Testing

@Suite("AppleMIDI sessions")
struct SessionTests {
  /// Two sessions that exchange datagrams; both control ports are 5004.
  private struct Pair {
    var ends = [
      AppleMIDISession(name: "Piano", seed: 1),
      AppleMIDISession(name: "Drums with a name of some length", seed: 2),
    ]
    /// The ends' clocks differ.
    var now = [HostTime(seconds: 1000), HostTime(seconds: 77)]
    var events: [[AppleMIDISession.Event]] = [[], []]
    var sent: [AppleMIDISession.Outgoing] = []
    /// Selects the lost datagrams by their number.
    var isLost: (Int) -> Bool = { _ in false }

    func endpoint(_ end: Int, _ port: AppleMIDISession.Port) -> MIDIEndpoint {
      MIDIEndpoint(ipv4: 0x0A00_0001 + UInt32(end), port: port == .control ? 5004 : 5005)
    }

    mutating func pass(_ seconds: Double = 0) {
      for end in 0..<2 {
        now[end] = now[end].advanced(bySeconds: seconds)
        ends[end].tick(at: now[end])
      }
      for _ in 0..<8 {
        for end in 0..<2 {
          for datagram in ends[end].takeOutgoing() {
            sent.append(datagram)
            guard !isLost(sent.count - 1) else { continue }
            let port: AppleMIDISession.Port = datagram.to.port == 5004 ? .control : .data
            guard datagram.to == endpoint(1 - end, port) else { continue }
            ends[1 - end].receive(
              datagram.bytes.span, from: endpoint(end, datagram.from), on: port, at: now[1 - end])
          }
        }
      }
      for end in 0..<2 { events[end] += ends[end].takeEvents() }
    }
  }

  private func joined() -> Pair {
    var pair = Pair()
    pair.ends[0].invite(pair.endpoint(1, .control), at: pair.now[0])
    for _ in 0..<3 { pair.pass(1) }
    return pair
  }

  @Test("join, play both ways, and leave with BY, which releases held notes")
  func course() {
    var pair = joined()
    #expect(pair.events[0].count == 1 && pair.events[1].count == 1)
    #expect(
      pair.events[1].first == .joined(peer: pair.ends[0].source, name: "Piano", pair.endpoint(0, .control)))
    pair.ends[0].send(.noteOn(0, 60, velocity: 9), at: pair.now[0])
    pair.ends[0].flush(at: pair.now[0])
    pair.ends[1].send(sysEx: [0xF0, 1, 0xF7], at: pair.now[1])
    pair.pass()
    #expect(
      pair.events[1].last
        == .received(
          peer: pair.ends[0].source, .noteOn(0, 60, velocity: 9), at: pair.now[1], isRepair: false))
    #expect(pair.events[0].last == .sysEx(peer: pair.ends[1].source, [0xF0, 1, 0xF7], at: pair.now[0]))
    pair.ends[0].leave(at: pair.now[0])
    pair.pass()
    #expect(pair.ends[1].joined.isEmpty && pair.ends[0].joined.isEmpty)
    #expect(
      pair.events[1].suffix(2).first
        == .received(
          peer: pair.ends[0].source, .noteOff(0, 60, velocity: 64), at: pair.now[1], isRepair: true))
    #expect(pair.events[1].last == .left(peer: pair.ends[0].source, isSilent: false))
  }

  @Test("report the time at which the peer sent a message, in the local clock")
  func stamps() {
    var pair = joined()
    pair.ends[0].send(.clock, at: pair.now[0])
    pair.now[0] = pair.now[0].advanced(bySeconds: 0.02)
    pair.now[1] = pair.now[1].advanced(bySeconds: 0.02)
    let sent = pair.now[1].advanced(bySeconds: -0.02)
    pair.ends[0].flush(at: pair.now[0])
    pair.pass()
    guard case .received(_, .clock, let at, _)? = pair.events[1].last else {
      Issue.record("no clock")
      return
    }
    #expect(abs(at.nanoseconds(since: sent)) <= 200_000)
  }

  @Test("join even if any one of the first datagrams is lost", arguments: 0..<10)
  func loss(lost: Int) {
    var pair = Pair()
    pair.isLost = { $0 == lost }
    pair.ends[0].invite(pair.endpoint(1, .control), at: pair.now[0])
    for _ in 0..<5 { pair.pass(1) }
    #expect(pair.ends[0].joined == [pair.ends[1].source] && pair.ends[1].joined == [pair.ends[0].source])
    #expect(pair.events.allSatisfy { $0.count == 1 })
  }

  @Test("have one association and play each note once after simultaneous invitations")
  func both() {
    var pair = Pair()
    pair.ends[0].invite(pair.endpoint(1, .control), at: pair.now[0])
    pair.ends[1].invite(pair.endpoint(0, .control), at: pair.now[1])
    for _ in 0..<20 { pair.pass(1) }
    #expect(pair.ends[0].joined.count == 1 && pair.ends[1].joined.count == 1)
    pair.events = [[], []]
    pair.ends[0].send(.noteOn(0, 60, velocity: 9), at: pair.now[0])
    pair.ends[0].flush(at: pair.now[0])
    pair.ends[1].send(.noteOn(0, 61, velocity: 9), at: pair.now[1])
    pair.ends[1].flush(at: pair.now[1])
    pair.pass()
    #expect(pair.events[0].count == 1 && pair.events[1].count == 1)
  }

  @Test("confirm packets once per second at most, and then send no more guard packets")
  func confirmations() {
    var pair = joined()
    let before = pair.sent.count
    for step in 0..<50 {
      pair.ends[0].send(.control(0, 1, MIDIUInt7(clamping: step)), at: pair.now[0])
      pair.ends[0].flush(at: pair.now[0])
      pair.pass(0.1)
    }
    for _ in 0..<20 { pair.pass(0.1) }
    let confirmations = pair.sent[before...].filter { $0.bytes.starts(with: [0xFF, 0xFF, 0x52, 0x53]) }
    #expect((4...8).contains(confirmations.count))
    let later = pair.sent.count
    for _ in 0..<90 { pair.pass(0.1) }
    #expect(pair.sent[later...].allSatisfy { $0.bytes.starts(with: [0xFF, 0xFF, 0x43, 0x4B]) })
  }

  @Test("drop a silent peer and invite it again, and rejoin when it answers")
  func silence() {
    var pair = joined()
    pair.isLost = { _ in true }
    for _ in 0..<40 { pair.pass(0.5) }
    #expect(pair.ends[0].joined.isEmpty)
    #expect(pair.events[0].last == .left(peer: pair.ends[1].source, isSilent: true))
    pair.isLost = { _ in false }
    for _ in 0..<5 { pair.pass(1) }
    #expect(pair.ends[0].joined.count == 1 && pair.ends[1].joined.count == 1)
    // Again, with a silence longer than twelve invitations.
    pair.isLost = { _ in true }
    for _ in 0..<60 { pair.pass(1) }
    pair.isLost = { _ in false }
    for _ in 0..<5 { pair.pass(1) }
    #expect(pair.ends[0].joined.count == 1 && pair.ends[1].joined.count == 1)
  }

  @Test("report NO, and a missing answer to twelve invitations")
  func refused() {
    var session = AppleMIDISession(name: "a", seed: 3)
    var now = HostTime(seconds: 1)
    let peer = MIDIEndpoint(ipv4: 1, port: 7000)
    session.invite(peer, at: now)
    let asked = session.takeOutgoing()[0].bytes
    session.receive(
      (hex("FFFF 4E4F 00000002") + asked[8..<12] + hex("00000009")).span, from: peer, on: .control, at: now)
    #expect(session.takeEvents() == [.refused(peer)])
    session.invite(peer, at: now)
    var count = 0
    for _ in 0..<30 {
      now = now.advanced(bySeconds: 0.5)
      session.tick(at: now)
      count += session.takeOutgoing().count
    }
    #expect(count == 12)
    #expect(session.takeEvents() == [.unanswered(peer)])
  }

  @Test("answer strangers with at most one datagram of at most twice the size, and send them no MIDI")
  func strangers() {
    var random = SplitMix64(state: 4)
    var session = AppleMIDISession(name: String(repeating: "n", count: 63), seed: 5)
    var now = HostTime(seconds: 5)
    for count in 0..<20_000 {
      now = now.advanced(bySeconds: 0.001)
      let from = MIDIEndpoint(ipv4: UInt32.random(in: 0..<40, using: &random), port: UInt16(5004 + count % 3))
      var bytes = (0..<Int.random(in: 0..<40, using: &random)).map { _ in
        UInt8.random(in: 0...255, using: &random)
      }
      let letters = ["IN", "OK", "NO", "BY", "CK", "RS", "RL"].randomElement(using: &random) ?? "IN"
      let head = [0xFF, 0xFF] + Array(letters.utf8) + [0, 0, 0, 2, 0, 0, 0, UInt8(count % 5)]
      if count % 8 != 0 { bytes = head + bytes }
      session.receive(bytes.span, from: from, on: count % 2 == 0 ? .control : .data, at: now)
      session.send(.noteOn(0, 60, velocity: 1), at: now)
      session.flush(at: now)
      session.tick(at: now)
      let answers = session.takeOutgoing()
      #expect(answers.count <= 1)
      #expect(answers.allSatisfy { $0.bytes.count <= 2 * bytes.count && $0.to == from })
      #expect(answers.allSatisfy { $0.bytes[0] == 0xFF })
    }
    #expect(session.joined.isEmpty && session.takeEvents().isEmpty)
  }
}
