import MoCore
import MoSessionCore
import MoSessionSimulation
import Testing

extension VirtualOrchestra {
  func installation(_ index: Int) -> MemberID { members[index].settings.identity.installation }

  mutating func set(_ gates: GateTable, by index: Int) throws {
    _ = try act(index) { core, now throws(SessionRefusal) in try core.setGates(gates, now: now) }
  }

  /// Makes each member strike once for all others; returns for each the senders it heard, and their forces.
  mutating func forces() throws -> [[Int: Float]] {
    let from = members.map(\.heard.count)
    for index in members.indices {
      try play(index, .hit(SessionHit(force: 1)), to: .others)
      pass(0.01)
    }
    pass(0.5)
    return members.indices.map { index in
      var forces: [Int: Float] = [:]
      for (_, heard) in members[index].heard[from[index]...] {
        guard case .hit(let hit) = heard.play else { continue }
        forces[members.firstIndex { $0.settings.identity.member == heard.from } ?? -1] = hit.force
      }
      return forces
    }
  }
}

@Suite("Gates")
struct GateTests {
  @Test(
    "the gate of a pair applies before one to all, all to one, and all; the default is 1, for the rhythm 0.5"
  )
  func precedence() {
    let (a, b, c) = (MemberID(1), MemberID(2), MemberID(3))
    var gates = GateTable()
    #expect(GateKind.allCases.map { gates.weight($0, from: a, to: b) } == [0.5, 1, 1, 1])
    gates.set(0.1, .notes)
    gates.set(0.2, .notes, to: b)
    gates.set(0.3, .notes, from: a)
    gates.set(0.4, .notes, from: a, to: b)
    #expect(gates.weight(.notes, from: a, to: b) == 0.4)
    #expect(gates.weight(.notes, from: a, to: c) == 0.3)
    #expect(gates.weight(.notes, from: c, to: b) == 0.2)
    #expect(gates.weight(.notes, from: b, to: c) == 0.1)
    #expect(gates.weight(.modification, from: a, to: b) == 1)
    gates.set(nil, .notes, from: a, to: b)
    #expect(gates.weight(.notes, from: a, to: b) == 0.3)
    // A member's own sound is never gated; the rhythm is for all.
    #expect(gates.weight(.notes, from: b, to: b) == 1)
    gates.set(0, .rhythm, from: a, to: b)
    #expect(gates.weight(.rhythm, from: a, to: c) == 0)
  }

  @Test("the presets let through what their descriptions state")
  func presets() throws {
    var orchestra = VirtualOrchestra.room(3)
    let ids = (0..<3).map { orchestra.installation($0) }
    #expect(try orchestra.forces() == [[1: 1, 2: 1], [0: 1, 2: 1], [0: 1, 1: 1]])
    try orchestra.set(.monarchic(ids[1]), by: 1)
    orchestra.pass(0.5)
    #expect(try orchestra.forces() == [[1: 1, 2: 0.5], [0: 0.5, 2: 0.5], [0: 0.5, 1: 1]])
    try orchestra.set(.stairs([ids[1], ids[2], ids[0]]), by: 1)
    orchestra.pass(0.5)
    #expect(try orchestra.forces() == [[2: 1], [:], [1: 1]])
    try orchestra.set(.centralised(ids[2]), by: 1)
    orchestra.pass(0.5)
    #expect(try orchestra.forces() == [[2: 1], [2: 1], [0: 1, 1: 1]])
    #expect(orchestra.core(0).counts.gated > 0)
  }

  @Test("a change goes as far as its gate is open; the end of a note passes all gates")
  func weights() throws {
    var orchestra = VirtualOrchestra.room(2)
    var gates = GateTable()
    gates.set(0.5, .modification)
    gates.set(0, .notes)
    try orchestra.set(gates, by: 0)
    orchestra.pass(0.5)
    try orchestra.play(0, .change(SessionChange("brightness", 1)), to: .others)
    try orchestra.play(0, .note(SessionNote(pitch: 60)), to: .others)
    try orchestra.play(0, .note(SessionNote(pitch: 60, velocity: 0)), to: .others)
    orchestra.pass(0.5)
    let heard = orchestra.heard(1)
    #expect(heard.map(\.play).contains(.change(SessionChange("brightness", 1))))
    #expect(heard.first { $0.play == .change(SessionChange("brightness", 1)) }?.weight == 0.5)
    #expect(heard.contains { $0.play == .note(SessionNote(pitch: 60, velocity: 0)) })
    #expect(heard.count == 2)
  }

  @Test("activity counts as much as its gate is open")
  func activity() throws {
    var orchestra = VirtualOrchestra.room(2)
    try orchestra.start(0)
    var gates = GateTable()
    gates.set(0.5, .activity, from: orchestra.installation(1))
    try orchestra.set(gates, by: 0)
    orchestra.move({ Float($0) }, for: 9)
    #expect(abs(orchestra.pattern(1).total - 0.25) < 0.01)
  }

  @Test("the conductor edits gates, else any member with an open gate; refusals have readable texts")
  func editing() throws {
    var orchestra = VirtualOrchestra.room(3)
    func refused(_ index: Int, _ gates: GateTable) -> String? {
      orchestra.refusal(index) { core, now throws(SessionRefusal) in try core.setGates(gates, now: now) }?
        .description
    }
    try orchestra.start(0)
    orchestra.pass(1)
    #expect(
      refused(1, .monarchic(orchestra.installation(1)))
        == "p1 conducts: ask for the baton (b in Orchestra, or type :ask), or wait until the rhythm is stopped"
    )
    try orchestra.set(.monarchic(orchestra.installation(1)), by: 0)
    orchestra.pass(0.5)
    // A member that closed its own gate has released the baton; the rhythm continues.
    #expect((0..<3).allSatisfy { orchestra.conductor($0) == nil && orchestra.isPlaying($0) })
    #expect(
      refused(0, .democratic)
        == "your rhythm gate is closed, so you cannot conduct, assign sections or set gates: ask p2 to open it "
        + "(gate 0.5 rhythm NAME)")
    #expect(refused(2, .democratic) != nil)
    _ = try orchestra.act(1) { core, now throws(SessionRefusal) in try core.takeBaton(now: now) }
    orchestra.pass(0.5)
    #expect((0..<3).allSatisfy { orchestra.conductor($0) == orchestra.id(1) })
    try orchestra.set(.democratic, by: 1)
    orchestra.pass(0.5)
    #expect((0..<3).allSatisfy { orchestra.core($0).state.policy.gates == .democratic })
    var full = GateTable()
    for number in 1...65 as ClosedRange<UInt64> {
      #expect(full.set(0, .notes, from: MemberID(number)) == (number <= 64))
    }
    // A datagram has no room for that many installations.
    #expect(
      refused(1, full)
        == "at most 64 pairs of about forty installations can have gates of their own: set gates for all, or remove some"
    )
  }

  @Test("a rhythm gate of 1 takes the baton from a lower gate, but not from an equal gate")
  func precedenceOfBaton() throws {
    var orchestra = VirtualOrchestra.room(3)
    var gates = GateTable()
    gates.set(1, .rhythm, from: orchestra.installation(1))
    try orchestra.set(gates, by: 2)
    orchestra.pass(0.5)
    try orchestra.start(0)
    orchestra.pass(1)
    _ = try orchestra.act(1) { core, now throws(SessionRefusal) in try core.takeBaton(now: now) }
    orchestra.pass(0.5)
    #expect((0..<3).allSatisfy { orchestra.conductor($0) == orchestra.id(1) })
    #expect(orchestra.refusal(0) { core, now throws(SessionRefusal) in try core.takeBaton(now: now) } != nil)
  }

  @Test(
    "a member with a higher rhythm gate that sets levels or gates, or ends a silence, takes the baton; no rhythm is left without a conductor",
    arguments: 0..<3)
  func leadsTakesBaton(kind: Int) throws {
    var orchestra = VirtualOrchestra.room(3)
    var gates = GateTable()
    gates.set(1, .rhythm, from: orchestra.installation(1))
    try orchestra.set(gates, by: 2)
    let id = orchestra.id(2)
    _ = try orchestra.act(2) { core, now throws(SessionRefusal) in
      try core.setSection("drums", of: id, now: now)
    }
    orchestra.pass(0.5)
    try orchestra.start(0)
    orchestra.pass(1)
    if kind == 2 { _ = orchestra.act(2) { core, now in core.callForSilence(now: now) } }
    orchestra.pass(0.5)
    _ = try orchestra.act(1) { core, now throws(SessionRefusal) in
      switch kind {
      case 0: try core.setMuted(true, section: "drums", now: now)
      case 1:
        var gates = core.state.policy.gates
        gates.set(0.5, .notes, from: id)
        try core.setGates(gates, now: now)
      default: try core.liftSilence(now: now)
      }
    }
    orchestra.pass(0.5)
    #expect((0..<3).allSatisfy { orchestra.conductor($0) == orchestra.id(1) })
    #expect((0..<3).allSatisfy { orchestra.core($0).state.isPlaying })
  }

  @Test(
    "a hostile member that ignores gates is not heard, does not conduct, and opens none, even after a restart"
  )
  func hostile() throws {
    var orchestra = VirtualOrchestra.room(4)
    let king = orchestra.installation(0)
    var gates = GateTable.monarchic(king)
    gates.set(0, .notes, from: orchestra.installation(3))
    gates.set(0, .activity, from: orchestra.installation(3))
    try orchestra.set(gates, by: 0)
    try orchestra.start(0)
    orchestra.pass(2)
    for round in 0..<20 {
      if round == 10 {
        orchestra.crash(3)
        orchestra.join(3)
        orchestra.pass(2)
      }
      // It writes any state itself: gates wide open, itself as conductor, a far epoch.
      _ = orchestra.act(3) { core, now in
        core.agreement.state.policy.gates = .democratic
        core.agreement.state.version = core.state.version.next(
          heldBy: core.me, after: core.agreement.highestEpoch &+ UInt32(round), at: now)
        core.agreement.state.isHeld = true
        core.agreement.state.holderInstallation = core.settings.identity.installation
        core.sendWritten(at: now)
      }
      try orchestra.play(3, .hit(SessionHit(force: 1)), to: .others)
      try orchestra.play(3, .change(SessionChange("loudness", 1)), to: .others)
      _ = orchestra.act(3) { core, now in core.setActivity(1, now: now) }
      orchestra.pass(0.4)
      for index in 0..<3 {
        #expect(orchestra.core(index).state.policy.gates == gates)
        #expect(orchestra.conductor(index) == orchestra.id(0))
        #expect(orchestra.heard(index).isEmpty)
        #expect(orchestra.isPlaying(index))
      }
    }
    orchestra.pass(3)
    #expect((0..<4).allSatisfy { orchestra.core($0).state.policy.gates == gates })
    #expect((0..<3).allSatisfy { orchestra.core($0).counts.gated >= 40 })
    #expect(orchestra.core(0).totalActivity(at: orchestra.host(0)) == 0)
  }

  @Test("a gate still applies to plays of a member that has left")
  func left() throws {
    var orchestra = VirtualOrchestra.room(3)
    var gates = GateTable()
    gates.set(0, .notes, from: orchestra.installation(1))
    gates.set(0.5, .notes, from: orchestra.installation(2))
    try orchestra.set(gates, by: 0)
    try orchestra.start(0)
    orchestra.pass(2)
    let beat = try #require(orchestra.beat(0))
    for index in 1...2 {
      try orchestra.play(index, .hit(SessionHit(force: 1, drum: index)), to: .others, at: .beat(beat + 4))
      _ = orchestra.act(index) { core, now in core.leave(now: now) }
      orchestra.crash(index)
    }
    orchestra.pass(4)
    #expect(orchestra.heard(0).map(\.play) == [.hit(SessionHit(force: 0.5, drum: 2))])
  }

  @Test(
    "a member present when gates were set cannot claim that its own were set before, with or without clock steps",
    arguments: [false, true], [0, -500, 500] as [Double])
  func predated(comesBack: Bool, step: Double) throws {
    var orchestra = VirtualOrchestra.room(3)
    try orchestra.start(0)
    let gates = GateTable.monarchic(orchestra.installation(0))
    try orchestra.set(gates, by: 0)
    orchestra.pass(1)
    if step != 0 { for index in [0, 2] { orchestra.step(index, bySeconds: step) } }
    orchestra.pass(3)
    if comesBack {
      orchestra.crash(1)
      orchestra.pass(6)
      orchestra.join(1)
      orchestra.pass(1)
    }
    _ = orchestra.act(1) { core, now in
      core.agreement.state.policy.gates = .democratic
      core.agreement.state.ancestors = []
      core.agreement.state.version = core.state.version.next(
        heldBy: core.me, after: core.agreement.highestEpoch, at: now)
      core.agreement.state.isHeld = true
      core.agreement.state.holderInstallation = core.settings.identity.installation
      core.sendWritten(at: now)
    }
    orchestra.pass(0.5)
    for index in [0, 2] {
      #expect(orchestra.core(index).state.policy.gates == gates)
      #expect(orchestra.conductor(index) == orchestra.id(0))
    }
  }

  @Test(
    "gates never exclude the only installation that may conduct: it alone reopens its own gate"
  )
  func reserved() throws {
    var orchestra = VirtualOrchestra.room(3)
    let teacher = orchestra.installation(0)
    for index in 0..<3 { _ = orchestra.act(index) { core, _ in core.agreement.reserved = teacher } }
    try orchestra.start(0)
    try orchestra.set(.monarchic(orchestra.installation(1)), by: 0)
    orchestra.pass(1)
    for index in 0..<3 { #expect(orchestra.conductor(index) == nil) }
    let take = { (core: inout SessionCore, now: HostTime) throws(SessionRefusal) in
      try core.takeBaton(now: now)
    }
    for index in 1...2 { #expect(orchestra.refusal(index, take) == .reserved(teacher)) }
    // Its state counts for all members, even those with open gates.
    try orchestra.start(0)
    orchestra.pass(1)
    for index in 0..<3 { #expect(orchestra.conductor(index) == orchestra.id(0)) }
    try orchestra.set(.democratic, by: 0)
    orchestra.pass(1)
    for index in 0..<3 { #expect(orchestra.core(index).state.policy.gates == .democratic) }
    #expect(SessionLaws.disagreement(in: orchestra) == [])
  }

  @Test(
    "separated parts keep the gates edited in each, until a person makes one join the other")
  func healed() throws {
    for seed in 1...12 as ClosedRange<UInt64> {
      var orchestra = VirtualOrchestra.room(5, seed: seed)
      try orchestra.start(0)
      orchestra.pass(1)
      orchestra.parts = [0, 0, 0, 1, 1]
      orchestra.pass(3)
      try orchestra.set(.monarchic(orchestra.installation(Int(seed % 5))), by: 0)
      _ = try orchestra.act(4) { core, now throws(SessionRefusal) in try core.takeBaton(now: now) }
      try orchestra.set(.centralised(orchestra.installation(4)), by: 4)
      orchestra.pass(1)
      if seed % 2 == 0 { orchestra.crash(0) }
      let gates = (0..<5).map { orchestra.members[$0].core?.state.policy.gates }
      orchestra.parts = [0, 0, 0, 0, 0]
      orchestra.pass(12)
      #expect((0..<5).map { orchestra.members[$0].core?.state.policy.gates } == gates, "seed \(seed)")
      for index in 3...4 { #expect(orchestra.core(index).partBeside != nil, "seed \(seed)") }
      _ = try orchestra.act(4) { core, now throws(SessionRefusal) in try core.joinOtherPart(now: now) }
      orchestra.pass(12)
      #expect(SessionLaws.disagreement(in: orchestra) == [], "seed \(seed)")
    }
  }
}
