import MoCore
import MoSessionCore
import MoSessionSimulation
import Testing

@Suite("Conducting")
struct ConductorTests {
  @Test("a member that starts the rhythm conducts alone, until it stops")
  func exclusive() throws {
    var orchestra = VirtualOrchestra.room(3)
    try orchestra.start(1)
    orchestra.pass(0.5)
    for index in 0..<3 { #expect(orchestra.conductor(index) == orchestra.id(1)) }
    let refusal = orchestra.refusal(0) { core, now throws(SessionRefusal) in try core.start(.init(), now: now)
    }
    #expect(refusal == .conducted(by: "p2"))
    #expect(
      refusal?.description
        == "p2 conducts: ask for the baton (b in Orchestra, or type :ask), or wait until the rhythm is stopped"
    )
    #expect(
      orchestra.refusal(0) { core, now throws(SessionRefusal) in try core.setTempo(90, now: now) }
        == .notConductor)
    _ = try orchestra.act(1) { core, now throws(SessionRefusal) in try core.stop(now: now) }
    orchestra.pass(1)
    for index in 0..<3 {
      #expect(orchestra.conductor(index) == nil)
      #expect(!orchestra.isPlaying(index))
    }
    try orchestra.start(0)
  }

  @Test("without a rhythm the baton cannot be taken, only a rhythm started")
  func silence() throws {
    var orchestra = VirtualOrchestra.room(2)
    let take = { (core: inout SessionCore, now: HostTime) throws(SessionRefusal) in
      try core.takeBaton(now: now)
    }
    #expect(orchestra.refusal(0, take) == .noRhythm)
    try orchestra.start(0)
    orchestra.pass(1)
    _ = try orchestra.act(0) { core, now throws(SessionRefusal) in try core.stop(now: now) }
    orchestra.pass(2)
    #expect(orchestra.refusal(1, take) == .noRhythm)
  }

  @Test("a newcomer that does not know the room's clock yet cannot start a rhythm")
  func early() {
    var orchestra = VirtualOrchestra.room(3)
    orchestra.crash(2)
    orchestra.join(2)
    let refusal = orchestra.refusal(2) { core, now throws(SessionRefusal) in try core.start(.init(), now: now)
    }
    #expect(refusal == .arriving)
    #expect(refusal?.description == "the room's clock is not known yet: try again in a second")
  }

  @Test("handing over the baton changes the conductor, and moves no beat")
  func handOver() throws {
    var orchestra = VirtualOrchestra.room(3)
    try orchestra.start(0)
    orchestra.pass(1)
    let nextConductor = orchestra.id(2)
    _ = try orchestra.act(0) { core, now throws(SessionRefusal) in
      try core.handOver(to: nextConductor, now: now)
    }
    var watch = Watch()
    watch.pass(1, of: &orchestra, [0, 1, 2])
    #expect(watch.jump < 0.02)
    for index in 0..<3 { #expect(orchestra.conductor(index) == nextConductor) }
    #expect(
      orchestra.refusal(0) { core, now throws(SessionRefusal) in try core.stop(now: now) } == .notConductor)
    _ = try orchestra.act(2) { core, now throws(SessionRefusal) in try core.setTempo(90, now: now) }
    orchestra.pass(1.5)
    #expect(orchestra.members[0].tempo(atNanoseconds: orchestra.now) == 90)
  }

  @Test("handing the baton over reaches all members at once, whichever member keeps the clock")
  func handOverByAnother() throws {
    var orchestra = VirtualOrchestra.room(3)
    try orchestra.start(1)
    orchestra.pass(1)
    let nextConductor = orchestra.id(2)
    _ = try orchestra.act(1) { core, now throws(SessionRefusal) in
      try core.handOver(to: nextConductor, now: now)
    }
    orchestra.pass(0.05)
    for index in 0..<3 { #expect(orchestra.conductor(index) == nextConductor) }
  }

  @Test(
    "a baton that is handed on again, from an epoch that was lost and came back, gets another version"
  )
  func handOverAgain() throws {
    var orchestra = VirtualOrchestra.room(2)
    try orchestra.start(0)
    orchestra.pass(1)
    let (old, nextConductor) = (orchestra.core(0).state, orchestra.id(1))
    _ = try orchestra.act(0) { core, now throws(SessionRefusal) in
      try core.setTempo(90, now: now)
      try core.handOver(to: nextConductor, now: now)
    }
    let first = orchestra.core(0).state
    // As if another part of the room, which has not received it, is joined.
    _ = try orchestra.act(0) { core, now throws(SessionRefusal) in
      core.agreement.state = old
      try core.handOver(to: nextConductor, now: now)
    }
    let second = orchestra.core(0).state
    #expect(second.timeline != first.timeline)
    #expect(second.version > first.version)
    orchestra.pass(1)
    for index in 0..<2 { #expect(orchestra.core(index).state == second) }
  }

  @Test("the only installation that may conduct rewrites its state at most five times a second")
  func overruled() throws {
    let teacher = MemberID(0xBEEF)
    var orchestra = VirtualOrchestra.room(8) { index, settings in
      settings.only = teacher
      if index == 0 { settings.identity.installation = teacher }
    }
    try orchestra.start(0)
    orchestra.pass(2)
    let before = orchestra.members[0].sent.datagrams
    for _ in 0..<100 {
      _ = orchestra.act(3) { core, now in
        core.agreement.state.version = core.state.version.next(
          heldBy: core.me, after: core.agreement.highestEpoch, at: now)
        core.agreement.state.holderInstallation = core.settings.identity.installation
        core.sendWritten(at: now)
      }
      orchestra.pass(0.01)
    }
    // Five to seven times, with one or two retransmissions.
    #expect(orchestra.members[0].sent.datagrams - before < 5 * 7 * 4 + 100)
    orchestra.pass(3)
    for index in 0..<8 { #expect(orchestra.core(index).state.holderInstallation == teacher) }
  }

  @Test(
    "of two members that start at the same moment one conducts, and all play its rhythm",
    arguments: 1...20 as ClosedRange<UInt64>)
  func race(seed: UInt64) throws {
    var orchestra = VirtualOrchestra.room(4, on: .goodWiFi, seed: seed)
    try orchestra.start(0) { $0.tempo = 100 }
    try orchestra.start(3) { $0.tempo = 140 }
    orchestra.pass(4)
    #expect(Set((0..<4).map { orchestra.conductor($0) }).count == 1)
    #expect(Set((0..<4).map { orchestra.core($0).state }).count == 1)
    #expect(try #require(orchestra.beatSpread([0, 1, 2, 3])) < 1)
    #expect((0..<4).count { orchestra.core($0).state.conductor == orchestra.id($0) } == 1)
  }

  @Test(
    "two parts of a room that hand their batons to the same member wrote two states, not one in two versions")
  func twoGivers() throws {
    var orchestra = VirtualOrchestra.room(3)
    let nextConductor = orchestra.id(2)
    orchestra.parts = [0, 1, 1]
    try orchestra.start(0)
    try orchestra.start(1)
    for giver in [0, 1] {
      _ = try orchestra.act(giver) { core, now throws(SessionRefusal) in
        try core.handOver(to: nextConductor, now: now)
      }
    }
    #expect(orchestra.core(0).state != orchestra.core(1).state)
    #expect(orchestra.core(0).state.version != orchestra.core(1).state.version)
    orchestra.parts = [0, 0, 0]
    orchestra.pass(5)
    for index in 0..<3 { #expect(orchestra.core(index).state == orchestra.core(2).state) }
    // The receiver's own changes are newer than the hand-over, from either giver.
    let before = orchestra.core(2).state.version
    _ = try orchestra.act(2) { core, now throws(SessionRefusal) in try core.setTempo(90, now: now) }
    #expect(orchestra.core(2).state.version > before)
    orchestra.pass(1.5)
    for index in 0..<3 { #expect(orchestra.core(index).state == orchestra.core(2).state) }
  }

  @Test("a member that takes the baton in the moment it is handed to it has one state, as do all")
  func raceOfHandOver() throws {
    var orchestra = VirtualOrchestra.room(3)
    try orchestra.start(0)
    orchestra.pass(1)
    orchestra.parts = [0, 1, 1]
    orchestra.pass(2.2)
    let nextConductor = orchestra.id(1)
    _ = try orchestra.act(0) { core, now throws(SessionRefusal) in
      try core.handOver(to: nextConductor, now: now)
    }
    _ = try orchestra.act(1) { core, now throws(SessionRefusal) in try core.takeBaton(now: now) }
    try orchestra.start(1) { $0.tempo = 77 }
    orchestra.parts = [0, 0, 0]
    orchestra.pass(8)
    #expect(Set((0..<3).map { orchestra.core($0).state }).count == 1)
    #expect(orchestra.members[0].tempo(atNanoseconds: orchestra.now) == 77)
  }

  @Test(
    "when the conductor dies the rhythm continues, and within 2 s the baton is free for all",
    arguments: [4, 40])
  func death(count: Int) throws {
    var orchestra = VirtualOrchestra.room(count)
    try orchestra.start(1)
    orchestra.pass(3)
    let others = Array(0..<count).filter { $0 != 1 }
    var watch = Watch()
    watch.check(in: orchestra, others)
    let died = orchestra.seconds
    orchestra.crash(1)
    watch.pass(2, of: &orchestra, others)
    #expect(watch.jump < 0.1)
    for index in others {
      #expect(orchestra.conductor(index) == nil)
      let freed = orchestra.members[index].events.last { $0.event == .conductor(nil) }
      #expect(try #require(freed).seconds - died <= 2)
      #expect(orchestra.isPlaying(index))
    }
    _ = try orchestra.act(0) { core, now throws(SessionRefusal) in try core.takeBaton(now: now) }
    watch.pass(1, of: &orchestra, others)
    #expect(watch.jump < 0.1)
    #expect(orchestra.conductor(2) == orchestra.id(0))
  }

  @Test("without a conductor, a member stops the rhythm or changes its tempo with one request")
  func orphan() throws {
    var orchestra = VirtualOrchestra.room(4)
    try orchestra.start(2)
    orchestra.pass(2)
    // While a member conducts, the baton is not free.
    _ = try orchestra.act(1) { core, now throws(SessionRefusal) in try core.takeFreeBaton(now: now) }
    orchestra.pass(1)
    #expect(orchestra.conductor(1) == orchestra.id(2))
    orchestra.crash(2)
    orchestra.pass(4)
    for index in [0, 1, 3] {
      #expect(orchestra.conductor(index) == nil)
      #expect(orchestra.isPlaying(index))
    }
    _ = try orchestra.act(1) { core, now throws(SessionRefusal) in
      try core.takeFreeBaton(now: now)
      try core.setTempo(90, now: now)
    }
    orchestra.pass(1.5)
    for index in [0, 1, 3] {
      #expect(orchestra.conductor(index) == orchestra.id(1))
      #expect(orchestra.members[index].tempo(atNanoseconds: orchestra.now) == 90)
    }
    orchestra.crash(1)
    orchestra.pass(4)
    _ = try orchestra.act(3) { core, now throws(SessionRefusal) in
      try core.takeFreeBaton(now: now)
      try core.stop(now: now)
    }
    orchestra.pass(1.5)
    for index in [0, 3] {
      #expect(orchestra.conductor(index) == nil)
      #expect(!orchestra.isPlaying(index))
    }
    try orchestra.start(0)
  }

  @Test("a closed gate keeps a member from stopping a rhythm that has no conductor")
  func orphanBehindGate() throws {
    var orchestra = VirtualOrchestra.room(3)
    try orchestra.start(2)
    orchestra.pass(2)
    var closed = GateTable.democratic
    _ = closed.set(0, .rhythm, from: orchestra.installation(1), to: .nobody)
    let gates = closed
    _ = try orchestra.act(2) { core, now throws(SessionRefusal) in try core.setGates(gates, now: now) }
    orchestra.pass(1)
    orchestra.crash(2)
    orchestra.pass(4)
    #expect(
      orchestra.refusal(1) { core, now throws(SessionRefusal) in try core.takeFreeBaton(now: now) }.isClosed)
    _ = try orchestra.act(0) { core, now throws(SessionRefusal) in
      try core.takeFreeBaton(now: now)
      try core.stop(now: now)
    }
    orchestra.pass(1.5)
    #expect(!orchestra.isPlaying(1))
  }

  @Test("a conductor that was cut off and replaced conducts no more after its return")
  func stale() throws {
    var orchestra = VirtualOrchestra.room(3)
    try orchestra.start(2)
    orchestra.pass(2)
    orchestra.parts = [0, 0, 1]
    orchestra.pass(3)
    _ = try orchestra.act(0) { core, now throws(SessionRefusal) in
      try core.takeBaton(now: now)
      try core.setTempo(90, now: now)
    }
    orchestra.pass(2)
    orchestra.parts = [0, 0, 0]
    orchestra.pass(6)
    for index in 0..<3 {
      #expect(orchestra.conductor(index) == orchestra.id(0))
      #expect(orchestra.members[index].tempo(atNanoseconds: orchestra.now) == 90)
      #expect(orchestra.core(index).partBeside == nil)
    }
    #expect(
      orchestra.refusal(2) { core, now throws(SessionRefusal) in try core.stop(now: now) } == .notConductor)
  }

  @Test(
    "a conductor without network for 2 to 29 s still conducts: a key that starts or mutes does not take the baton",
    arguments: [2, 10, 29] as [Double])
  func roaming(seconds: Double) throws {
    var orchestra = VirtualOrchestra.room(3)
    try orchestra.start(2)
    orchestra.pass(2)
    orchestra.parts = [0, 0, 1]
    let end = orchestra.seconds + seconds
    orchestra.pass(1.9)
    while orchestra.seconds < end {
      let refusal = orchestra.refusal(0) { core, now throws(SessionRefusal) in
        try core.start(.init(), now: now)
      }
      guard case .away(let name, let away)? = refusal else {
        Issue.record("\(String(describing: refusal))")
        return
      }
      // The name and the time since the cut, also when the member has left the list.
      #expect(name == "p3")
      #expect(abs(Double(away) - (orchestra.seconds - end + seconds)) < 1.2)
      #expect(
        orchestra.refusal(1) { core, now throws(SessionRefusal) in
          try core.setGates(.monarchic(orchestra.installation(1)), now: now)
        } != nil)
      orchestra.pass(1)
    }
    orchestra.parts = [0, 0, 0]
    orchestra.pass(3)
    for index in 0..<3 { #expect(orchestra.conductor(index) == orchestra.id(2)) }
    _ = try orchestra.act(2) { core, now throws(SessionRefusal) in try core.setTempo(90, now: now) }
  }

  @Test("the baton of a vanished conductor is free after 30 s, and after a goodbye immediately")
  func gracePeriod() throws {
    var orchestra = VirtualOrchestra.room(3)
    try orchestra.start(2)
    orchestra.pass(2)
    orchestra.crash(2)
    orchestra.pass(33)
    try orchestra.start(0)
    orchestra.pass(2)
    _ = orchestra.act(0) { core, now in core.leave(now: now) }
    orchestra.crash(0)
    orchestra.pass(0.2)
    try orchestra.start(1)
  }

  @Test("with --conductor-only one installation alone conducts, and takes the baton from any member")
  func only() throws {
    let teacher = MemberID(0xBEEF)
    var orchestra = VirtualOrchestra.room(4) { index, settings in
      if index == 0 { settings.identity.installation = teacher }
      if index != 3 { settings.only = teacher }
    }
    let refusal = orchestra.refusal(1) { core, now throws(SessionRefusal) in try core.start(.init(), now: now)
    }
    #expect(refusal == .reserved(teacher))
    #expect(
      refusal?.description == "only installation 000000000000beef may conduct here (--conductor-only)")
    // A member started without the option does not know: no other member plays along, and it is notified.
    try orchestra.start(3)
    orchestra.pass(3)
    for index in 0..<3 { #expect(!orchestra.isPlaying(index)) }
    #expect(orchestra.members[3].events.contains { $0.event == .refused(only: teacher) })
    #expect(!orchestra.isPlaying(3))
    try orchestra.start(0)
    orchestra.pass(1)
    for index in 0..<4 { #expect(orchestra.conductor(index) == orchestra.id(0)) }
    #expect(
      orchestra.refusal(3) { core, now throws(SessionRefusal) in try core.start(.init(), now: now) }
        == .reserved(teacher))
  }

  @Test(
    "a member behind a closed gate that claims the exclusive right gets the right when the gate opens, not earlier"
  )
  func onlyBehindGate() throws {
    let claimant = MemberID(0xBEEF)
    var orchestra = VirtualOrchestra.room(2)
    try orchestra.start(0)
    orchestra.pass(2)
    var closed = GateTable.democratic
    _ = closed.set(0, .rhythm, from: claimant, to: .nobody)
    let gates = closed
    _ = try orchestra.act(0) { core, now throws(SessionRefusal) in try core.setGates(gates, now: now) }
    let before = orchestra.core(0).state.version.counter
    orchestra.crash(1)
    orchestra.configure(1) { ($0.identity.installation, $0.only) = (claimant, claimant) }
    orchestra.join(1)
    orchestra.pass(20)
    for index in 0..<2 {
      #expect(orchestra.conductor(index) == orchestra.id(0))
      #expect(orchestra.core(index).state.version.counter == before)
      #expect(orchestra.core(index).state == orchestra.core(0).state)
    }
    #expect(
      orchestra.refusal(1) { core, now throws(SessionRefusal) in try core.start(.init(), now: now) }.isClosed)
    _ = try orchestra.act(0) { core, now throws(SessionRefusal) in
      try core.setGates(.democratic, now: now)
    }
    orchestra.pass(2)
    for index in 0..<2 {
      #expect(orchestra.core(index).state.policy.only == claimant)
      #expect(orchestra.conductor(index) == nil)
      #expect(orchestra.isPlaying(index))
    }
  }
}
