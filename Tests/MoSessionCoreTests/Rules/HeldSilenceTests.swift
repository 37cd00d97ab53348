import MoCore
import MoSessionCore
import MoSessionSimulation
import Testing

@Suite("A silence in force")
struct HeldSilenceTests {
  private func silenced(_ orchestra: VirtualOrchestra) -> [Bool] {
    orchestra.members.compactMap { $0.core?.isSilenced }
  }

  private func call(_ index: Int, in orchestra: inout VirtualOrchestra) {
    orchestra.act(index) { core, now in core.callForSilence(now: now) }
  }

  @Test("silence reaches a member within two seconds of its return, and the call names it until then")
  func cutOff() throws {
    var orchestra = VirtualOrchestra.room(4, on: .goodWiFi)
    try orchestra.start(0)
    orchestra.pass(1)
    orchestra.parts = [0, 0, 1, 0]
    orchestra.pass(0.3)
    call(0, in: &orchestra)
    orchestra.pass(6)
    #expect(orchestra.unconfirmed(0) == ["p3"])
    #expect(silenced(orchestra) == [true, true, false, true])
    orchestra.parts = [0, 0, 0, 0]
    orchestra.pass(2)
    #expect(silenced(orchestra) == [true, true, true, true])
    #expect(
      orchestra.members[2].events.contains { $0.event == .panic(from: orchestra.id(0)) },
      "the member that called is named, though it was heard of from others")
    try orchestra.start(0)
    orchestra.pass(1)
    #expect(silenced(orchestra) == [false, false, false, false])
    #expect(orchestra.members.allSatisfy { $0.events.count { $0.event == .panicLifted } == 1 })
  }

  @Test("silence reaches a member that was stopped during the call and was given up meanwhile")
  func stopped() throws {
    var orchestra = VirtualOrchestra.room(4)
    try orchestra.start(1)
    orchestra.pass(1)
    orchestra.stall(3, seconds: 8)
    orchestra.pass(6)
    call(2, in: &orchestra)
    orchestra.pass(2.2)
    #expect(orchestra.unconfirmed(2) == ["p4"])
    orchestra.pass(2)
    #expect(silenced(orchestra) == [true, true, true, true])
  }

  @Test("a call by a newcomer names an unconfirmed member that only others knew")
  func knownBefore() {
    var orchestra = VirtualOrchestra(count: 4, network: .wire)
    for index in 0..<3 { orchestra.join(index) }
    orchestra.pass(4)
    orchestra.parts = [0, 0, 1, 0]
    orchestra.pass(8)
    orchestra.configure(3) { $0.isHidden = true }
    orchestra.join(3)
    orchestra.pass(0.5)
    call(3, in: &orchestra)
    orchestra.pass(2.2)
    #expect(orchestra.unconfirmed(3) == ["p3"])
    #expect(silenced(orchestra) == [true, true, false, true])
  }

  @Test("names no member that said goodbye, or that came back under a new number")
  func notNamed() {
    var orchestra = VirtualOrchestra.room(4)
    _ = orchestra.act(2) { core, now in core.leave(now: now) }
    orchestra.crash(2)
    orchestra.crash(3)
    orchestra.pass(6)
    orchestra.join(3)
    orchestra.pass(3)
    call(0, in: &orchestra)
    orchestra.pass(2.2)
    #expect(orchestra.unconfirmed(0) == [])
  }

  @Test("silence applies to a newcomer and to a restarted member")
  func newcomer() throws {
    var orchestra = VirtualOrchestra(count: 4, network: .badWiFi)
    for index in 0..<3 { orchestra.join(index) }
    orchestra.pass(4)
    try orchestra.start(0)
    orchestra.pass(1)
    call(1, in: &orchestra)
    orchestra.pass(1)
    orchestra.crash(2)
    orchestra.pass(1)
    orchestra.join(2)
    orchestra.join(3)
    orchestra.pass(4)
    #expect(silenced(orchestra) == [true, true, true, true])
  }

  @Test("silence is over for a newcomer if a rhythm was started since")
  func overForNewcomer() throws {
    var orchestra = VirtualOrchestra(count: 3, network: .wire)
    for index in 0..<2 { orchestra.join(index) }
    orchestra.pass(4)
    call(1, in: &orchestra)
    orchestra.pass(1)
    try orchestra.start(0)
    orchestra.pass(1)
    orchestra.join(2)
    orchestra.pass(4)
    #expect(silenced(orchestra) == [false, false, false])
    #expect(!orchestra.members[2].events.contains { if case .panic = $0.event { true } else { false } })
  }

  @Test("a call by a member with closed gates is obeyed, and only a member that may conduct lifts it")
  func gates() throws {
    var orchestra = VirtualOrchestra.room(3)
    let king = orchestra.members[0].settings.identity.installation
    _ = try orchestra.act(0) { core, now throws(SessionRefusal) in
      try core.setGates(.monarchic(king), now: now)
    }
    orchestra.pass(1)
    call(2, in: &orchestra)
    orchestra.pass(1)
    #expect(silenced(orchestra) == [true, true, true])
    let refusal = orchestra.refusal(2) { core, now throws(SessionRefusal) in
      try core.liftSilence(now: now)
    }
    #expect(
      refusal?.description
        == "your rhythm gate is closed, so you cannot conduct, assign sections or set gates: ask p1 to open it (gate 0.5 rhythm NAME)"
    )
    _ = try orchestra.act(0) { core, now throws(SessionRefusal) in try core.liftSilence(now: now) }
    orchestra.pass(1)
    #expect(silenced(orchestra) == [false, false, false])
  }

  @Test("silence can be called again after it was lifted, any number of times")
  func again() throws {
    var orchestra = VirtualOrchestra.room(3, on: .badWiFi)
    for _ in 0..<5 {
      call(2, in: &orchestra)
      orchestra.pass(1)
      #expect(silenced(orchestra) == [true, true, true])
      try orchestra.start(0)
      orchestra.pass(1)
      #expect(silenced(orchestra) == [false, false, false])
    }
  }

  @Test("a call immediately uses a number above a forged one")
  func forged() throws {
    var orchestra = VirtualOrchestra.room(3)
    let (forger, endpoint) = (orchestra.id(1), orchestra.members[1].endpoint)
    for number: Int32 in [.max, .min, -1, 4000, 0] {
      _ = orchestra.act(0) { core, now in
        let forged = SessionMessage.panic(from: forger, number: number)
        core.receive(forged.encoded(), from: endpoint, at: now, now: now)
      }
      orchestra.pass(2.5)
      try orchestra.start(0)
      orchestra.pass(1)
      _ = try orchestra.act(0) { core, now throws(SessionRefusal) in try core.stop(now: now) }
      orchestra.pass(2)
      call(2, in: &orchestra)
      orchestra.pass(1)
      #expect(silenced(orchestra) == [true, true, true], "after \(number)")
      try orchestra.start(2)
      orchestra.pass(1)
      _ = try orchestra.act(2) { core, now throws(SessionRefusal) in try core.stop(now: now) }
      orchestra.pass(2)
      #expect(silenced(orchestra) == [false, false, false])
    }
  }

  @Test("silence blocks all sounds sent or received, and a member that does not know of it is notified")
  func plays() throws {
    var orchestra = VirtualOrchestra.room(3)
    call(0, in: &orchestra)
    orchestra.pass(1)
    try orchestra.play(0, .hit(SessionHit(force: 1)), to: .everyone)
    try orchestra.play(0, .note(SessionNote(pitch: 60)), to: .others)
    try orchestra.play(0, .note(SessionNote(pitch: 60, velocity: 0)), to: .others)
    orchestra.pass(0.5)
    #expect(orchestra.members.map { $0.heard.count } == [0, 1, 1])
    #expect(orchestra.core(0).counts.withheld == 2)
    // As a program of another release without calls for silence.
    _ = orchestra.act(2) { core, _ in core.agreement.silence.current = nil }
    try orchestra.play(2, .hit(SessionHit(force: 1)), to: .others)
    orchestra.pass(0.2)
    #expect(orchestra.members.map { $0.heard.count } == [0, 1, 1])
    #expect(orchestra.core(0).counts.silenced == 1)
    #expect(orchestra.core(2).isSilenced)
  }
}
