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
    pair.ends[0].call(pair.endpoint(1, .control), at: pair.now[0])
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
    pair.ends[1].send(sysEx: [0xF0, 1, 0xF7].span, at: pair.now[1])
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
    pair.ends[0].call(pair.endpoint(1, .control), at: pair.now[0])
    for _ in 0..<5 { pair.pass(1) }
    #expect(pair.ends[0].joined == [pair.ends[1].source] && pair.ends[1].joined == [pair.ends[0].source])
    #expect(pair.events.allSatisfy { $0.count == 1 })
  }

  @Test("have one association and play each note once after simultaneous invitations")
  func both() {
    var pair = Pair()
    pair.ends[0].call(pair.endpoint(1, .control), at: pair.now[0])
    pair.ends[1].call(pair.endpoint(0, .control), at: pair.now[1])
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

  @Test("confirm packets sooner while the peer repeats a long list of changes in each packet")
  func longJournals() {
    var pair = joined()
    func confirmations() -> Int { pair.sent.count { $0.bytes.starts(with: [0xFF, 0xFF, 0x52, 0x53]) } }
    for round in 1...3 {
      for channel in 0..<16 {
        for number in 40..<95 {
          pair.ends[0].send(
            .control(
              MIDIChannel(lowBitsOf: UInt8(channel)), MIDIUInt7(clamping: number), MIDIUInt7(clamping: round)),
            at: pair.now[0])
        }
      }
      pair.ends[0].flush(at: pair.now[0])
      pair.pass()
      pair.pass(0.11)
      let count = confirmations()
      #expect(count == round)
    }
    pair.ends[0].send(.program(0, 1), at: pair.now[0])
    pair.ends[0].flush(at: pair.now[0])
    pair.pass()
    pair.pass(0.11)
    let early = confirmations()
    #expect(early == 3)
    pair.pass(1)
    let late = confirmations()
    #expect(late == 4)
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

  @Test(
    "drop a silent peer, release its notes, and are back within 5 s after the network is",
    arguments: [9, 20, 90])
  func silence(seconds: Int) {
    for caller in 0..<2 {
      var pair = Pair()
      pair.ends[caller].call(pair.endpoint(1 - caller, .control), at: pair.now[caller])
      for _ in 0..<40 { pair.pass(1) }
      pair.ends[0].send(.noteOn(0, 60, velocity: 9), at: pair.now[0])
      pair.ends[0].flush(at: pair.now[0])
      pair.pass()
      pair.isLost = { _ in true }
      for _ in 0..<seconds * 2 { pair.pass(0.5) }
      for (end, events) in pair.events.enumerated() {
        #expect(events.contains(.left(peer: pair.ends[1 - end].source, isSilent: true)))
      }
      #expect(
        pair.events[1].contains {
          if case .received(_, .noteOff(0, 60, velocity: 64), _, true) = $0 { true } else { false }
        })
      pair.isLost = { _ in false }
      for _ in 0..<10 { pair.pass(0.5) }
      #expect(pair.ends[0].joined.count == 1 && pair.ends[1].joined.count == 1)
    }
  }

  @Test("stay joined through a short outage")
  func shortOutage() {
    var pair = joined()
    pair.isLost = { _ in true }
    for _ in 0..<10 { pair.pass(0.5) }
    pair.isLost = { _ in false }
    for _ in 0..<20 { pair.pass(0.5) }
    #expect(pair.events.allSatisfy { $0.count == 1 })
  }

  @Test("notice within 5 s that the called program was restarted, or has come back after a goodbye")
  func restart() {
    for saysGoodbye in [false, true] {
      var pair = joined()
      for _ in 0..<20 { pair.pass(1) }
      if saysGoodbye {
        pair.ends[1].leave(at: pair.now[1])
        for _ in 0..<3 { pair.pass(1) }
        pair.isLost = { _ in true }
        for _ in 0..<20 { pair.pass(1) }
        pair.isLost = { _ in false }
      }
      pair.ends[1] = AppleMIDISession(name: "Drums", seed: 77)
      for _ in 0..<10 { pair.pass(0.5) }
      #expect(pair.ends[0].joined == [pair.ends[1].source] && pair.ends[1].joined == [pair.ends[0].source])
    }
  }

  @Test("do not give up a peer like macOS, whose clock comparisons come every 10 s, for two that are lost")
  func slowInviter() {
    // The peer's own comparisons are replaced by those that macOS would send.
    var pair = joined()
    let now = pair.now[1]
    var (session, time) = (pair.ends[1], 0.0)
    pair.ends[1] = AppleMIDISession(name: "unused", seed: 9)
    let (from, source) = (pair.endpoint(0, .data), pair.ends[0].source)
    func number(_ value: UInt32) -> [UInt8] { (0..<4).map { UInt8(value >> (24 - 8 * $0) & 0xFF) } }
    let comparison = hex("FFFF 434B") + number(source) + [UInt8](repeating: 0, count: 28)
    for interval in [1.5, 1.5, 1.5, 1.5, 1.5, 1.5, 10, 10, 10, 10, 10, 29, 10, 10] {
      for _ in 0..<Int(interval * 2) {
        time += 0.5
        session.tick(at: now.advanced(bySeconds: time))
      }
      session.receive(comparison.span, from: from, on: .data, at: now.advanced(bySeconds: time))
    }
    #expect(session.joined == [source])
    for _ in 0..<130 {
      time += 0.5
      session.tick(at: now.advanced(bySeconds: time))
    }
    #expect(session.joined == [])
  }

  @Test("tell NO and a missing answer once, and call on until the peer joins")
  func refused() {
    var session = AppleMIDISession(name: "a", seed: 3)
    var now = HostTime(seconds: 1)
    let peer = MIDIEndpoint(ipv4: 1, port: 7000)
    func pass(_ seconds: Double) -> Int {
      var count = 0
      for _ in 0..<Int(seconds * 2) {
        now = now.advanced(bySeconds: 0.5)
        session.tick(at: now)
        for sent in session.takeOutgoing() {
          #expect(sent.to == peer && sent.bytes.starts(with: hex("FFFF 494E")))
          count += 1
        }
      }
      return count
    }
    func refuse() {
      let asked = session.takeOutgoing().last?.bytes ?? []
      session.receive(
        (hex("FFFF 4E4F 00000002") + asked[8..<12] + hex("00000009")).span, from: peer, on: .control, at: now)
    }
    session.call(peer, at: now)
    refuse()
    #expect(session.takeEvents() == [.refused(peer)])
    #expect(pass(9) == 0)
    now = now.advanced(bySeconds: 1)
    session.tick(at: now)
    refuse()
    #expect(session.takeEvents() == [])
    // No answer at all: three invitations a second apart, then one every two seconds.
    #expect((8...12).contains(pass(30)))
    #expect(session.takeEvents() == [.unanswered(peer)])
    session.endCall(peer)
    #expect(pass(30) == 0)
  }

  @Test("join a peer whose data port has another SSRC, as pymidi's has, and obey its goodbye")
  func twoSources() {
    var session = AppleMIDISession(name: "a", seed: 3)
    let now = HostTime(seconds: 1)
    let (control, data) = (MIDIEndpoint(ipv4: 1, port: 7000), MIDIEndpoint(ipv4: 1, port: 7001))
    session.call(control, at: now)
    for (port, from, source) in [(AppleMIDISession.Port.control, control, "11"), (.data, data, "22")] {
      let asked = session.takeOutgoing().last?.bytes ?? []
      let answer = hex("FFFF 4F4B 00000002") + asked[8..<12] + hex("000000\(source) 7000")
      session.receive(answer.span, from: from, on: port, at: now)
    }
    #expect(session.joined == [0x22])
    _ = session.takeEvents()
    session.receive(hex("8061 0001 00000000 00000022 03 903C40").span, from: data, on: .data, at: now)
    session.receive(hex("FFFF 4259 00000002 00000000 00000011").span, from: control, on: .control, at: now)
    #expect(
      session.takeEvents() == [
        .received(peer: 0x22, .noteOn(0, 60, velocity: 64), at: now, isRepair: false),
        .received(peer: 0x22, .noteOff(0, 60, velocity: 64), at: now, isRepair: true),
        .left(peer: 0x22, isSilent: false),
      ])
  }

  @Test("call a peer that has no place, without a busy loop")
  func full() {
    var session = AppleMIDISession(name: "a", seed: 3)
    var now = HostTime(seconds: 1)
    for host in 0..<16 { session.call(MIDIEndpoint(ipv4: UInt32(host), port: 7000), at: now) }
    let isCalled = session.call(MIDIEndpoint(ipv4: 99, port: 7000), at: now)
    #expect(!isCalled)
    var ticks = 0
    while now < HostTime(seconds: 20) {
      now = max(now.advanced(bySeconds: 1e-6), session.nextTick)
      session.tick(at: now)
      _ = session.takeOutgoing()
      ticks += 1
    }
    #expect(ticks < 400)
  }

  @Test("refuse invitations if they accept none, except from a peer that they call")
  func closed() {
    for isCalled in [false, true] {
      var pair = Pair()
      pair.ends[1].acceptsInvitations = false
      pair.ends[0].call(pair.endpoint(1, .control), at: pair.now[0])
      if isCalled { pair.ends[1].call(pair.endpoint(0, .control), at: pair.now[1]) }
      for _ in 0..<20 { pair.pass(1) }
      #expect(pair.ends.allSatisfy { $0.joined.count == (isCalled ? 1 : 0) })
      #expect(isCalled || pair.events[0] == [.refused(pair.endpoint(1, .control))])
    }
  }

  @Test("let a peer join while a crowd sends forged invitations")
  func crowd() {
    var pair = Pair()
    pair.ends[0].call(pair.endpoint(1, .control), at: pair.now[0])
    for step in 0..<4 {
      pair.pass(0.5)
      for forged in 0..<2000 {
        let invitation =
          hex("FFFF 494E 00000002 00000001") + [UInt8(step), 1, UInt8(forged >> 8), UInt8(forged & 255)]
        pair.ends[1].receive(
          invitation.span, from: MIDIEndpoint(ipv4: UInt32(forged % 300), port: 5004), on: .control,
          at: pair.now[1])
      }
      _ = pair.ends[1].takeOutgoing()
    }
    #expect(pair.ends[1].joined == [pair.ends[0].source])
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
