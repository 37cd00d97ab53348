import MoCore
import MoSessionSimulation
import Testing

@testable import MoSessionCore

@Suite("The agreement by itself")
struct AgreementTests {
  /// Makes every member receive the state of every other, in random order, until nothing changes.
  private static func exchange(
    _ agreements: inout [Agreement], in room: inout ComponentRoom, _ chance: inout SimulatedChance
  ) {
    for _ in 0..<6 {
      room.pass(0.01)
      for from in agreements.indices.shuffled(using: &chance) {
        for to in agreements.indices.shuffled(using: &chance) where from != to {
          var out = Effects()
          let state = agreements[from].state
          _ = room.rosters[to].store(state.version, of: room.ids[from])
          agreements[to].receive(state, from: room.ids[from], room.view(to), &out)
        }
      }
    }
  }

  @Test("members that write at the same time and hear each other all reach one state, in any order")
  func convergence() {
    for seed in UInt64(1)...40 {
      var chance = SimulatedChance(seed: seed)
      var room = ComponentRoom(2 + Int(chance.next() % 5))
      room.pass(1)
      var agreements = room.ids.map { _ in Agreement(reserved: .nobody, now: room.now) }
      for _ in 0..<3 {
        room.pass(0.2)
        for index in agreements.indices where chance.unit() < 0.6 {
          var out = Effects()
          var beginning = SessionCore.Beginning()
          beginning.tempo = 60 + 100 * chance.unit()
          try? agreements[index].start(beginning, room.view(index), &out)
        }
        Self.exchange(&agreements, in: &room, &chance)
        let versions = Set(agreements.map(\.state))
        #expect(versions.count == 1, "seed \(seed)")
      }
    }
  }

  /// Returns an agreement for each member; the first two members have set different gates at the same time.
  private func rivals(in room: ComponentRoom, _ out: inout Effects) throws -> [Agreement] {
    var agreements = room.ids.map { _ in Agreement(reserved: .nobody, now: room.now) }
    for index in [0, 1] {
      var gates = GateTable.democratic
      gates.set(0.5, .notes, from: room.ids[index])
      try agreements[index].setGates(gates, room.view(index), &out)
    }
    return agreements
  }

  @Test("a late state that lost to an earlier, stricter revision does not win over the present one")
  func lateState() throws {
    var room = ComponentRoom(2)
    room.pass(1)
    var out = Effects()
    // The second member opens all gates before the first one's state arrives.
    var agreements = try rivals(in: room, &out)
    let late = agreements[0].state
    let strict = agreements[1].state
    try agreements[1].setGates(.democratic, room.view(1), &out)
    let open = agreements[1].state
    #expect(open.policy.rank < late.policy.rank)
    room.pass(0.8)
    agreements[0].receive(strict, from: room.ids[1], room.view(0), &out)
    agreements[1].receive(late, from: room.ids[0], room.view(1), &out)
    #expect(agreements[1].state == open)
    agreements[0].receive(open, from: room.ids[1], room.view(0), &out)
    #expect(agreements[0].state == open)
  }

  @Test("a late copy of a state that was left outside of a race does not win as in a race")
  func lateCopy() throws {
    var room = ComponentRoom(3)
    room.pass(1)
    var out = Effects()
    var agreements = try rivals(in: room, &out)
    let old = agreements[0].state
    let strict = agreements[1].state
    // Another member opens the gates, in a new epoch.
    agreements[2].receive(strict, from: room.ids[1], room.view(2), &out)
    try agreements[2].setGates(.democratic, room.view(2), &out)
    let open = agreements[2].state
    #expect(open.version.epoch != strict.version.epoch)
    agreements[1].receive(open, from: room.ids[2], room.view(1), &out)
    for _ in 1...120 { room.pass(1) }
    agreements[1].receive(old, from: room.ids[0], room.view(1), &out)
    #expect(agreements[1].state == old)
    room.pass(1)
    agreements[1].receive(strict, from: room.ids[0], room.view(1), &out)
    #expect(agreements[1].state == old)
  }

  @Test("a late copy of a rhythm does not win over the stopped state that replaced the rhythm's stop")
  func lateCopyOfRhythm() throws {
    var room = ComponentRoom(3)
    room.pass(1)
    var out = Effects()
    var writer = Agreement(reserved: .nobody, now: room.now)
    try writer.start(SessionCore.Beginning(), room.view(1), &out)
    let playing = writer.state
    writer.write(room.view(1), &out) { $0.timeline = nil }
    let stopped = writer.state
    writer.write(room.view(1), &out) { $0.timeline = playing.timeline }
    let again = writer.state
    #expect(playing.isPlaying && !stopped.isPlaying && again.isPlaying)
    var rival = stopped
    rival.version = StateVersion(counter: 7, holder: room.ids[2], revision: 65536)
    rival.ancestors = []
    var mine = Agreement(reserved: .nobody, now: room.now)
    for state in [playing, stopped, rival] { mine.receive(state, from: room.ids[1], room.view(0), &out) }
    #expect(mine.state == rival)
    // By now they no longer count as written at the same time.
    for _ in 1...6 { room.pass(1) }
    mine.receive(playing, from: room.ids[1], room.view(0), &out)
    #expect(mine.state == rival)
    mine.receive(again, from: room.ids[1], room.view(0), &out)
    #expect(mine.state == again)
  }

  @Test("returns to the state that it left, if an earlier state of that branch wins over the present one")
  func returnsToLaterState() {
    var room = ComponentRoom(3)
    room.pass(1)
    var out = Effects()
    let (earlier, rival) = (room.state(12, by: 2, isGated: true), room.state(12, by: 1, isGated: true))
    var later = room.state(14, by: 2)
    later.ancestors = [StateAncestor(earlier.version)]
    for later in [later, room.state(12, by: 2, revision: 65537)] {
      #expect(earlier.relation(of: later) == .newer && rival.relation(of: later) == .diverging)
      var mine = Agreement(reserved: .nobody, now: room.now)
      mine.receive(later, from: room.ids[2], room.view(0), &out)
      mine.receive(rival, from: room.ids[1], room.view(0), &out)
      #expect(mine.state == rival)
      mine.receive(earlier, from: room.ids[2], room.view(0), &out)
      #expect(mine.state == later)
      mine.receive(rival, from: room.ids[1], room.view(0), &out)
      #expect(mine.state == later)
    }
  }

  @Test("a state that this member wrote over a rival is not lost to a late copy from before the rival")
  func keepsOwnStateOverRival() throws {
    var room = ComponentRoom(3)
    room.pass(1)
    var out = Effects()
    let (earlier, rival) = (room.state(12, by: 2, isGated: true), room.state(12, by: 1, isGated: true))
    var later = room.state(14, by: 2)
    later.ancestors = [StateAncestor(earlier.version)]
    var mine = Agreement(reserved: .nobody, now: room.now)
    mine.receive(later, from: room.ids[2], room.view(0), &out)
    mine.receive(rival, from: room.ids[1], room.view(0), &out)
    try mine.setGates(GateTable(), room.view(0), &out)
    let own = mine.state
    #expect(own != rival && own.relation(of: earlier) == .diverging)
    mine.receive(earlier, from: room.ids[2], room.view(0), &out)
    #expect(mine.state == own)
  }

  @Test("a member that leaves a clock has its state again if it returns to that clock")
  func keepsStateOfClock() {
    var room = ComponentRoom(2)
    room.pass(1)
    var out = Effects()
    let music = room.state(3, by: 1)
    for mayReturn in [true, false] {
      var mine = Agreement(reserved: .nobody, now: room.now)
      mine.receive(music, from: room.ids[1], room.view(0), &out)
      mine.leaveClock(mayReturn: mayReturn, at: room.now)
      #expect(mine.state == .none)
      // Another member now keeps the clock that the first member had founded.
      let base = TimeBase(lineage: room.ids[0], founded: 1_800_000_000, term: 1, keeper: room.ids[1])
      mine.followed(base, room.view(0), &out)
      #expect(mine.state == (mayReturn ? music : .none))
    }
  }

  @Test("a member that returns to its first clock within 1.5 s has the state of this clock again")
  func keepsStateOfFirstClock() {
    var room = ComponentRoom(2)
    room.pass(1)
    var out = Effects()
    let music = room.state(3, by: 1)
    var other = room.state(4, by: 1)
    other.lineage = room.ids[1]
    let base = TimeBase(lineage: room.ids[0], founded: 1_800_000_000, term: 1, keeper: room.ids[1])
    for seconds in [0.0, 0.0005, 1.5, 2.5] {
      var mine = Agreement(reserved: .nobody, now: room.now)
      mine.receive(music, from: room.ids[1], room.view(0), &out)
      mine.leaveClock(mayReturn: true, to: room.ids[1], at: room.now)
      mine.state = other
      mine.leaveClock(mayReturn: true, to: room.ids[0], at: room.now.advanced(bySeconds: seconds))
      mine.followed(base, room.view(0), &out)
      #expect(mine.state == (seconds < 2 ? music : .none))
    }
  }

  @Test("a stricter state from more than eight epochs ago does not come back in a race")
  func forgetsOldStricterState() {
    var room = ComponentRoom(3)
    room.pass(1)
    var out = Effects()
    let strict = room.state(3, by: 1, isGated: true)
    var chain = [strict]
    for counter in UInt32(4)...13 {
      var next = room.state(counter, by: 1)
      next.ancestors = Array(chain.reversed().map { StateAncestor($0.version) }.prefix(8))
      chain.append(next)
    }
    var rival = room.state(14, by: 2)
    rival.ancestors = chain[10].ancestors
    var mine = Agreement(reserved: .nobody, now: room.now)
    for state in chain { mine.receive(state, from: room.ids[1], room.view(0), &out) }
    #expect(mine.state == chain[10] && mine.state.relation(of: strict) == .diverging)
    mine.receive(rival, from: room.ids[2], room.view(0), &out)
    #expect(mine.state == rival)
  }

  @Test(
    "a member joins a part only with that part's state, even if a member without the state reports the part first"
  )
  func joinsWithState() throws {
    var room = ComponentRoom(3)
    room.pass(1)
    let theirs = TimeBase(lineage: room.ids[2], founded: 1, term: 0, keeper: room.ids[2])
    let mine = Agreement(reserved: .nobody, now: room.now)
    // Member 2 joined the part just now; member 3 has its state.
    let version = StateVersion(counter: 1, holder: room.ids[2], revision: 65536)
    _ = room.rosters[0].store(StateSummary(version: .none, base: theirs), of: room.ids[1], sent: room.now)
    var merge = Merge(base: theirs, version: .none, started: room.now)
    merge.source = room.ids[1]
    #expect(mine.isReady(for: merge, room.view(0)))
    _ = room.rosters[0].store(StateSummary(version: version, base: theirs), of: room.ids[2], sent: room.now)
    #expect(!mine.isReady(for: merge, room.view(0)))
    // A member that reports a state which no member sends does not prevent the merge.
    room.pass(3)
    #expect(mine.isReady(for: merge, room.view(0)))
  }

  @Test("a member that joins a part takes the state that its members report, not a forged newer state")
  func joinsWithReportedState() {
    var room = ComponentRoom(3)
    room.pass(1)
    var out = Effects()
    let theirs = TimeBase(lineage: room.ids[2], founded: 1, term: 0, keeper: room.ids[2])
    room.clocks[0].merge = Merge(base: theirs, version: .none, started: room.now)
    var (own, forged) = (room.state(3, by: 2), room.state(1 << 30, by: 1))
    (own.lineage, forged.lineage) = (theirs.lineage, theirs.lineage)
    forged.ancestors = [StateAncestor(own.version)]
    var mine = Agreement(reserved: .nobody, now: room.now)
    // People chose to join the part: its epochs may then be far ahead.
    mine.state.joins = theirs.lineage
    mine.receive(forged, from: room.ids[1], room.view(0), &out)
    #expect(mine.foreign == forged)
    mine.receive(own, from: room.ids[2], room.view(0), &out)
    #expect(mine.foreign == forged)
    _ = room.rosters[0].store(
      StateSummary(version: own.version, base: theirs), of: room.ids[2], sent: room.now)
    // The members' reports may come a moment after the state.
    mine.receive(own, from: room.ids[2], room.view(0), &out)
    #expect(mine.foreign == forged)
    room.pass(2)
    mine.receive(own, from: room.ids[2], room.view(0), &out)
    #expect(mine.foreign == own)
    // A newer state that no member reports does not replace it, however often it comes.
    mine.receive(forged, from: room.ids[1], room.view(0), &out)
    #expect(mine.foreign == own)
    _ = room.rosters[0].store(
      StateSummary(version: forged.version, base: theirs), of: room.ids[1], sent: room.now)
    mine.receive(forged, from: room.ids[1], room.view(0), &out)
    #expect(mine.foreign == forged)
    // As long as a present member reports it, and for a moment after that, the newer state stays.
    room.pass(2)
    mine.receive(own, from: room.ids[2], room.view(0), &out)
    _ = room.rosters[0].store(
      StateSummary(version: own.version, base: theirs), of: room.ids[1], sent: room.now)
    mine.receive(own, from: room.ids[2], room.view(0), &out)
    #expect(mine.foreign == forged)
    room.pass(2)
    mine.receive(own, from: room.ids[2], room.view(0), &out)
    #expect(mine.foreign == own)
  }

  @Test(
    "an installation with the exclusive right counts as away if it is in a separate part of the room",
    arguments: [false, true], [false, true])
  func reservedForTheOtherPart(isTooFarAhead: Bool, isLocked: Bool) throws {
    var room = ComponentRoom(2)
    if isLocked { room.rosters[0].settings.signer = TestSigner(1) }
    room.pass(1)
    var out = Effects()
    var mine = Agreement(reserved: .nobody, now: room.now)
    var other = Agreement(reserved: .nobody, now: room.now)
    try other.start(SessionCore.Beginning(), room.view(1), &out)
    mine.receive(other.state, from: room.ids[1], room.view(0), &out)
    mine.state.policy.only = room.ids[1]
    mine.updateAbsence(room.view(0))
    // Its present state diverges from ours, or continues ours with an epoch that is too far ahead.
    var theirs = other.state
    theirs.version = StateVersion(counter: isTooFarAhead ? 5000 : 7, holder: room.ids[1], revision: 65536)
    if isTooFarAhead { theirs.ancestors = [StateAncestor(mine.state.version)] }
    mine.separatePart = SeparatePart(
      part: OtherPart(lineage: room.ids[0], keeper: room.ids[0], standing: PartStanding()),
      until: room.now.advanced(bySeconds: 1000), since: room.now, wasReported: true, state: theirs)
    let summary = StateSummary(version: theirs.version, base: room.view(0).clock.base)
    _ = room.rosters[0].store(summary, of: room.ids[1], sent: room.now)
    for _ in 1...59 {
      room.pass(1)
      mine.updateAbsence(room.view(0))
    }
    #expect(throws: SessionRefusal.self) { try mine.liftConductorOnly(room.view(0), &out) }
    room.pass(2)
    mine.updateAbsence(room.view(0))
    // A member with the passkey can make the installation begin an epoch that is too far ahead.
    guard !isTooFarAhead || !isLocked else {
      #expect(throws: SessionRefusal.self) { try mine.liftConductorOnly(room.view(0), &out) }
      return
    }
    try mine.liftConductorOnly(room.view(0), &out)
    #expect(mine.only == .nobody)
  }

  @Test(
    "all members follow the owner of the exclusive right after it has received a forged epoch, however far ahead",
    arguments: [1, 64, 65, 2000, 4094, 4095, 4096, 1 << 31] as [UInt32], [false, true])
  func reaffirmed(ahead: UInt32, isEntering: Bool) throws {
    var room = ComponentRoom(3)
    room.pass(1)
    var out = Effects()
    var owner = Agreement(reserved: room.ids[0], now: room.now)
    try owner.start(SessionCore.Beginning(), room.view(0), &out)
    #expect(owner.only == room.ids[0])
    var other = Agreement(reserved: .nobody, now: room.now)
    other.receive(owner.state, from: room.ids[0], room.view(1), &out)
    var forged = owner.state
    forged.begin(
      StateVersion(counter: owner.state.version.counter + ahead, holder: room.ids[2], revision: 65536))
    forged.holderInstallation = room.ids[2]
    room.pass(2)
    if isEntering {
      // It left and enters again: it knows the epochs that the others report.
      owner = Agreement(reserved: room.ids[0], now: room.now)
      room.clocks[0].sync = SyncProgress()
      let summary = StateSummary(version: other.state.version, base: room.view(0).clock.base)
      _ = room.rosters[0].store(summary, of: room.ids[1], sent: room.now)
    }
    owner.receive(forged, from: room.ids[2], room.view(0), &out)
    if isEntering { owner.receive(other.state, from: room.ids[1], room.view(0), &out) }
    other.receive(owner.state, from: room.ids[0], room.view(1), &out)
    room.clocks[0].sync.becomeKeeper()
    #expect(isEntering || owner.state.version.holder == room.ids[0])
    room.pass(2)
    try owner.setGates(.monarchic(room.ids[0]), room.view(0), &out)
    other.receive(owner.state, from: room.ids[0], room.view(1), &out)
    #expect(other.state == owner.state)
  }

  @Test(
    "a member notes members with an older state as a separate part if its own epoch is too far ahead of theirs",
    arguments: [4095, 4096] as [UInt32])
  func tooFarAhead(ahead: UInt32) throws {
    var room = ComponentRoom(2)
    room.pass(1)
    var out = Effects()
    var mine = Agreement(reserved: .nobody, now: room.now)
    try mine.start(SessionCore.Beginning(), room.view(0), &out)
    let older = mine.state
    let epoch = older.version.counter + ahead
    mine.state.begin(StateVersion(counter: epoch, holder: room.ids[0], revision: 65536))
    let summary = StateSummary(version: older.version, base: room.view(0).clock.base)
    _ = room.rosters[0].store(summary, of: room.ids[1], sent: room.now)
    mine.receive(older, from: room.ids[1], room.view(0), &out)
    mine.forgetParts(room.view(0), &out)
    #expect((mine.separatePart?.state == older) == (ahead == 4096))
    if ahead == 4096 { mine.separatePart?.wasReported = true }
    #expect(throws: ahead == 4096 ? SessionRefusal.otherPartRefuses : .noOtherPart) {
      try mine.joinOtherPart(room.view(0), &out)
    }
    // The other members have joined this part.
    let joined = StateSummary(version: mine.state.version, base: room.view(0).clock.base)
    _ = room.rosters[0].store(joined, of: room.ids[1], sent: room.now)
    mine.forgetParts(room.view(0), &out)
    #expect(mine.separatePart == nil)
  }

  @Test("a silence ends for a member that knows of a part with an older state")
  func silenceWithOlderPart() throws {
    var room = ComponentRoom(2)
    room.pass(1)
    var out = Effects()
    var conductor = Agreement(reserved: .nobody, now: room.now)
    try conductor.start(SessionCore.Beginning(), room.view(0), &out)
    let older = conductor.state
    conductor.state.begin(
      StateVersion(counter: older.version.counter + 4096, holder: room.ids[0], revision: 65536))
    var mine = Agreement(reserved: .nobody, now: room.now)
    mine.adopt(conductor.state, isNewer: true, room.view(1), &out)
    mine.receive(older, from: room.ids[0], room.view(1), &out)
    #expect(mine.separatePart?.state == older)
    mine.silence.activate(1, by: room.ids[0], at: room.now, &out)
    var lifted = conductor.state
    lifted.version = conductor.state.version.next(heldBy: room.ids[0], at: room.now)
    lifted.endedSilence = 1
    mine.adopt(lifted, isNewer: true, room.view(1), &out)
    #expect(mine.silence.current == nil)
  }

  @Test(
    "a member that hears no member that may conduct adopts a state only if such a member can override it",
    arguments: [1, 4094, 4095] as [UInt32])
  func uncheckedEpoch(ahead: UInt32) throws {
    var room = ComponentRoom(3)
    room.pass(1)
    var out = Effects()
    let owner = MemberID(0xBEEF)
    var mine = Agreement(reserved: .nobody, now: room.now)
    try mine.start(SessionCore.Beginning(), room.view(1), &out)
    (mine.state.policy.only, mine.state.version.holder) = (owner, owner)
    // The keeper hears the owner, and has the same rules.
    var standing = PartStanding()
    (standing.hasConductor, standing.rules) = (true, mine.state.policy.digest)
    let base = try #require(room.clocks[1].base)
    room.clocks[1].pulses.store(base, 1, standing, at: room.now)
    var forged = mine.state
    forged.begin(
      StateVersion(counter: mine.state.version.counter + ahead, holder: room.ids[2], revision: 65536))
    forged.holderInstallation = room.ids[2]
    mine.receive(forged, from: room.ids[2], room.view(1), &out)
    #expect((mine.state == forged) == (ahead < 4095))
    #expect((mine.separatePart?.state == forged) == (ahead == 4095))
  }

  @Test(
    "two members that may conduct, and hear only a third member, do not override each other for ever",
    arguments: [false, true])
  func overridesOnce(isLevelNew: Bool) throws {
    var room = ComponentRoom(3)
    room.pass(1)
    var out = Effects()
    // The first two members may conduct, and the third carries the states between them.
    var gates = GateTable.monarchic(room.ids[0])
    gates.set(1, .rhythm, from: room.ids[1])
    for index in 0..<2 { room.rosters[index].members[room.ids[1 - index]] = nil }
    var first = Agreement(reserved: .nobody, now: room.now)
    try first.start(SessionCore.Beginning(), room.view(0), &out)
    try first.setGates(gates, room.view(0), &out)
    first.state.holderInstallation = room.ids[2]
    (first.state.version.holder, first.state.isHeld) = (room.ids[2], false)
    var second = first
    let other = first.state.version
    // Only the first member has received the holder's last announcement of a level.
    if isLevelNew {
      _ = first.state.pattern.add(PatternPlan.Entry(bar: 9, level: 1, total: 0.5))
      first.state.version = try #require(first.state.version.revised(at: room.now))
    }
    first.writeOverride(keeping: first.state, replacing: second.state, room.view(0), &out)
    for _ in 0..<5 {
      room.pass(2)
      for index in 0..<2 { room.rosters[index].members[room.ids[1 - index]] = nil }
      second.receive(first.state, from: room.ids[2], room.view(1), &out)
      first.receive(second.state, from: room.ids[2], room.view(0), &out)
    }
    #expect(second.state == first.state)
    #expect(first.state.version.counter == other.counter + 1)
    // A change is refused and overridden, and so is a copy that names another holder.
    for change in 0..<2 {
      var forged = second.state
      var next = forged.version
      next.counter += 1
      if change == 0 { next.holder = room.ids[0] }
      forged.begin(next)
      if change == 1 { forged.policy.gates = .democratic }
      room.pass(2)
      second.receive(forged, from: room.ids[2], room.view(1), &out)
      #expect(second.state.version != forged.version)
      #expect(second.state.policy.gates == gates && second.state.version.holder == room.ids[2])
    }
  }

  @Test("a member overrides an unauthorised state if the holder does not, since it does not hear the writer")
  func overridesForHolder() throws {
    var room = ComponentRoom(3)
    room.pass(1)
    var out = Effects()
    var mine = Agreement(reserved: .nobody, now: room.now)
    try mine.start(SessionCore.Beginning(), room.view(0), &out)
    var gates = GateTable.monarchic(room.ids[0])
    gates.set(1, .rhythm, from: room.ids[1])
    try mine.setGates(gates, room.view(0), &out)
    mine.writeOverride(
      keeping: {
        var held = $0
        (held.version.holder, held.holderInstallation) = (room.ids[1], room.ids[1])
        return held
      }(mine.state), replacing: mine.state, room.view(0), &out)
    #expect(mine.permits(room.ids[1]) && !mine.permits(room.ids[2]))
    // The third member opened the gates while it was alone.
    var theirs = mine.state
    theirs.begin(mine.state.version.next(heldBy: room.ids[2], at: room.now))
    (theirs.holderInstallation, theirs.policy.gates) = (room.ids[2], .democratic)
    mine.receive(theirs, from: room.ids[2], room.view(0), &out)
    #expect(mine.state.version < theirs.version)
    for _ in 0..<5 {
      room.pass(1)
      mine.receive(theirs, from: room.ids[2], room.view(0), &out)
    }
    #expect(theirs.relation(of: mine.state) == .newer)
    #expect(mine.state.policy.gates == gates)
    // The waiting time begins anew with each state that the holder overrides.
    for _ in 0..<5 {
      theirs.begin(mine.state.version.next(heldBy: room.ids[2], at: room.now))
      mine.receive(theirs, from: room.ids[2], room.view(0), &out)
      room.pass(1)
      mine.receive(theirs, from: room.ids[2], room.view(0), &out)
      #expect(mine.state.version < theirs.version)
      var holder = mine
      holder.writeOverride(keeping: mine.state, replacing: theirs, room.view(1), &out)
      mine.receive(holder.state, from: room.ids[1], room.view(0), &out)
      #expect(mine.state.version == holder.state.version)
    }
  }

  @Test(
    "a state with a lower epoch that lists the present epoch as its ancestor is not newer, and traps nothing")
  func forgedAncestor() throws {
    var room = ComponentRoom(3)
    room.pass(1)
    var out = Effects()
    var mine = Agreement(reserved: .nobody, now: room.now)
    for _ in 0..<3 { try mine.start(SessionCore.Beginning(), room.view(0), &out) }
    mine.state.version = mine.state.version.handed(to: room.ids[1], by: room.ids[0], after: 0)
    mine.state.holderInstallation = room.ids[1]
    mine.state.policy.gates = .monarchic(room.ids[0])
    #expect(!mine.permits(room.ids[1]))
    var forged = mine.state
    forged.version.counter -= 1
    forged.version.revision = 7
    forged.ancestors = [StateAncestor(epoch: mine.state.version.epoch, revision: .max)]
    let before = mine.state
    mine.receive(forged, from: room.ids[2], room.view(0), &out)
    #expect(before.relation(of: forged) == .diverging)
    #expect(mine.state.version.counter >= before.version.counter)
    #expect(mine.state.isSame(as: before))
  }

  /// What happens while the holder and the member that overrides a refused state are cut off from each other.
  enum Interruption: CaseIterable {
    /// The holder stops the rhythm.
    case stops
    /// The holder stops the rhythm, and then overrides the refused state, too. The refused state lists a later revision
    /// of the holder's epoch, as a forged state can.
    case stopsAndOverrides
    /// The holder overrides the refused state, too, and then stops the rhythm; the refused member changes again.
    case overridesAndStops
    /// The holder stops the rhythm; the other member overrides a second refused state.
    case stopsTwoOverrides
    /// As `stopsAndOverrides`; the other member overrides a second refused state, which the holder does not receive.
    case stopsAndOverridesFirst
  }

  @Test(
    "an override keeps the holder's last change, although its writer did not have this change",
    arguments: Interruption.allCases)
  func overtaken(interruption: Interruption) throws {
    var room = ComponentRoom(3)
    room.pass(1)
    var out = Effects()
    var holder = Agreement(reserved: .nobody, now: room.now)
    try holder.start(SessionCore.Beginning(), room.view(0), &out)
    var gates = GateTable.monarchic(room.ids[0])
    gates.set(1, .rhythm, from: room.ids[1])
    try holder.setGates(gates, room.view(0), &out)
    var other = Agreement(reserved: .nobody, now: room.now)
    other.receive(holder.state, from: room.ids[0], room.view(1), &out)
    #expect(other.state == holder.state)
    room.pass(8)
    var refused = other.state
    refused.begin(other.state.version.next(heldBy: room.ids[2], at: room.now))
    (refused.holderInstallation, refused.policy.gates) = (room.ids[2], .democratic)
    if [.stopsAndOverrides, .stopsAndOverridesFirst].contains(interruption) {
      refused.ancestors = [StateAncestor(epoch: holder.state.version.epoch, revision: .max)]
    }
    if interruption == .overridesAndStops {
      holder.receive(refused, from: room.ids[2], room.view(0), &out)
      #expect(refused.relation(of: holder.state) == .newer)
      refused.version = try #require(refused.version.revised(at: room.now))
    }
    let first = refused
    override(refused, by: &other, &room)
    if [.stopsTwoOverrides, .stopsAndOverridesFirst].contains(interruption) {
      refused = other.state
      refused.begin(other.state.version.next(heldBy: room.ids[2], at: room.now))
      refused.holderInstallation = room.ids[2]
      override(refused, by: &other, &room)
    }
    try holder.change(at: .bar, room.view(0), &out) { $0.stopping(at: $1, now: $2) }
    let stopped = holder.state
    room.pass(8)
    if [.stopsAndOverrides, .stopsAndOverridesFirst].contains(interruption) {
      holder.receive(first, from: room.ids[2], room.view(0), &out)
      #expect(first.relation(of: holder.state) == .newer)
    }
    #expect(holder.state.relation(of: other.state) == .diverging)
    holder.receive(other.state, from: room.ids[1], room.view(0), &out)
    #expect(holder.state.isSame(as: stopped))
    other.receive(holder.state, from: room.ids[0], room.view(1), &out)
    #expect(other.state == holder.state)
    #expect(refused.relation(of: holder.state) == .newer)
  }

  /// Lets the member 1 receive the unauthorised state of the member 2 until it overrides this state.
  private func override(_ refused: SessionState, by other: inout Agreement, _ room: inout ComponentRoom) {
    var out = Effects()
    for _ in 0..<5 {
      other.receive(refused, from: room.ids[2], room.view(1), &out)
      room.pass(1)
    }
    #expect(refused.relation(of: other.state) == .newer)
    #expect(other.state.version.holder == room.ids[0])
  }

  @Test(
    "a conductor that returns does not override the baton that another conductor hands to it",
    arguments: [false, true])
  func handedBack(isOverridden: Bool) throws {
    var room = ComponentRoom(3)
    room.pass(1)
    var out = Effects()
    var mine = Agreement(reserved: .nobody, now: room.now)
    try mine.start(SessionCore.Beginning(), room.view(0), &out)
    var theirs = mine.state
    try mine.change(at: .bar, room.view(0), &out) { $0.stopping(at: $1, now: $2) }
    let before = mine.state
    theirs.begin(theirs.version.next(heldBy: room.ids[1], at: room.now))
    theirs.holderInstallation = room.ids[1]
    theirs.timeline = nil
    theirs.begin(theirs.version.handed(to: room.ids[0], by: room.ids[1], after: 0))
    theirs.holderInstallation = room.ids[0]
    if isOverridden {
      var refused = theirs
      refused.begin(refused.version.next(heldBy: room.ids[2], at: room.now))
      theirs.begin(
        refused.version.handed(to: room.ids[0], by: room.ids[1], after: 0), after: refused, isOverride: true)
    }
    room.pass(9)
    #expect(mine.state.relation(of: theirs) == .diverging)
    mine.receive(theirs, from: room.ids[1], room.view(0), &out)
    #expect(mine.state == before && mine.separatePart?.state == theirs || mine.state == theirs)
  }

  /// Returns a state in the name of the first member, with other gates, as a malicious program forges it.
  private func forged(_ revision: UInt32, in room: ComponentRoom) -> SessionState {
    var forged = Agreement(reserved: .nobody, now: room.now).state
    forged.begin(StateVersion(counter: 1, holder: room.ids[0], revision: revision))
    (forged.lineage, forged.holderInstallation, forged.isHeld) = (room.ids[0], room.ids[0], true)
    forged.policy.gates.set(0.5, .notes, from: room.ids[0])
    return forged
  }

  @Test("a conductor's first change wins over a state that was forged before with the lowest revision")
  func forgedBeforeFirstChange() throws {
    var room = ComponentRoom(3)
    room.pass(1)
    var out = Effects()
    var conductor = Agreement(reserved: .nobody, now: room.now)
    var other = conductor
    let forged = forged(65_536, in: room)
    other.receive(forged, from: room.ids[0], room.view(1), &out)
    #expect(other.state == forged)
    try conductor.start(SessionCore.Beginning(), room.view(0), &out)
    other.receive(conductor.state, from: room.ids[0], room.view(1), &out)
    #expect(other.state == conductor.state)
  }

  @Test("a conductor that has a forged state with the last revision still conducts and changes the state")
  func forgedLastRevision() throws {
    var room = ComponentRoom(3)
    room.pass(1)
    var out = Effects()
    let forged = forged(.max, in: room)
    var other = Agreement(reserved: .nobody, now: room.now)
    other.receive(forged, from: room.ids[0], room.view(1), &out)
    let changes: [(inout Agreement, inout Effects) throws -> Void] = [
      { try $0.setGates(.democratic, room.view(0), &$1) },
      { $0.announce(PatternPlan(), room.view(0), &$1) },
    ]
    for change in changes {
      var conductor = Agreement(reserved: .nobody, now: room.now)
      conductor.receive(forged, from: room.ids[2], room.view(0), &out)
      #expect(conductor.state == forged)
      try change(&conductor, &out)
      #expect(conductor.state.conductor == room.ids[0])
      var follower = other
      follower.receive(conductor.state, from: room.ids[0], room.view(1), &out)
      #expect(follower.state == conductor.state && follower.state != forged)
    }
  }

  @Test("two conductors that exclude each other do not override each other's states for ever")
  func excludedHolder() throws {
    var room = ComponentRoom(2)
    room.pass(1)
    var out = Effects()
    var mine = Agreement(reserved: .nobody, now: room.now)
    try mine.start(SessionCore.Beginning(), room.view(0), &out)
    var theirs = mine.state
    theirs.policy.gates = .monarchic(room.ids[1])
    theirs.begin(theirs.version.handed(to: room.ids[0], by: room.ids[1], after: 6))
    try mine.setGates(.monarchic(room.ids[0]), room.view(0), &out)
    try mine.change(at: .bar, room.view(0), &out) { $0.stopping(at: $1, now: $2) }
    let before = mine.state
    room.pass(9)
    mine.receive(theirs, from: room.ids[1], room.view(0), &out)
    #expect(mine.state == before)
  }

  @Test("in a locked room, a member that overrides a state after it lost its right receives the valid state")
  func overridesWithoutRight() throws {
    var room = ComponentRoom(3)
    room.pass(1)
    var out = Effects()
    var first = Agreement(reserved: .nobody, now: room.now)
    try first.start(SessionCore.Beginning(), room.view(0), &out)
    // The first holder loses the right of the member 1, and hands the baton to the member 2; member 1 overrides a
    // refused state before it receives these changes.
    var override = first.state
    override.begin(StateVersion(counter: 9, holder: room.ids[2], revision: 1 << 16))
    override.begin(override.version.handed(to: room.ids[0], by: room.ids[1], after: 0))
    var mine = first
    mine.state.policy.gates = .monarchic(room.ids[2])
    mine.state.begin(first.state.version.handed(to: room.ids[2], by: room.ids[0], after: 4))
    mine.state.holderInstallation = room.ids[2]
    mine.highestEpoch = 6
    _ = out.removeAll()
    let seal = SignedMessage(body: [], seal: [])
    mine.receive(override, seal, by: room.ids[1], from: room.ids[1], room.view(2), &out)
    #expect(out.counts.gated == 1)
    #expect(out.removeAll().count == 1)
    mine.receive(override, seal, by: room.ids[1], from: room.ids[1], room.view(2), &out)
    #expect(out.removeAll().isEmpty)
  }

  @Test("a member does not override a refused state while the holder's next state is on its way")
  func waitsForHolder() throws {
    var room = ComponentRoom(3)
    room.pass(1)
    var out = Effects()
    var mine = Agreement(reserved: .nobody, now: room.now)
    var holder = mine
    try holder.start(SessionCore.Beginning(), room.view(0), &out)
    var gates = GateTable.monarchic(room.ids[0])
    gates.set(1, .rhythm, from: room.ids[1])
    try holder.setGates(gates, room.view(0), &out)
    mine.receive(holder.state, from: room.ids[0], room.view(1), &out)
    var refused = mine.state
    refused.begin(mine.state.version.next(heldBy: room.ids[2], at: room.now))
    (refused.holderInstallation, refused.policy.gates) = (room.ids[2], .democratic)
    let before = mine.state
    for second in 0..<20 {
      room.rosters[1].members[room.ids[0]]?.summary.version =
        try #require(holder.state.version.revised(at: room.now))
      mine.receive(refused, from: room.ids[2], room.view(1), &out)
      // Ten seconds are enough for each state.
      if second < 10 { #expect(mine.state == before) }
      room.pass(1)
    }
    #expect(refused.relation(of: mine.state) == .newer)
  }

  @Test(
    "each place at which a rhythm starts gives a state that the other members accept",
    arguments: [-1, 5, 1e12, .infinity, -.infinity, .nan])
  func place(beat: Double) throws {
    var room = ComponentRoom(2)
    room.pass(1)
    for time in [Int64.min / 4, 0, Int64.max / 2] {
      var out = Effects()
      var mine = Agreement(reserved: .nobody, now: room.now)
      var beginning = SessionCore.Beginning()
      beginning.place = .init(time: SessionTime(nanoseconds: time), beat: beat)
      try mine.start(beginning, room.view(0), &out)
      let message = SessionMessage.state(from: room.ids[0], mine.state)
      #expect(try SessionMessage.list(message.encoded()).count == 1)
    }
  }

  @Test("a member that has just joined the other part cannot decide to join it again")
  func joinsItself() throws {
    var room = ComponentRoom(2)
    room.pass(1)
    var out = Effects()
    var mine = Agreement(reserved: .nobody, now: room.now)
    try mine.start(SessionCore.Beginning(), room.view(0), &out)
    let base = try #require(room.clocks[0].base)
    let part = OtherPart(lineage: base.lineage, keeper: base.keeper, standing: PartStanding())
    mine.separatePart = SeparatePart(
      part: part, until: room.now.advanced(bySeconds: 10), since: room.now, wasReported: true)
    #expect(throws: SessionRefusal.noOtherPart) { try mine.joinOtherPart(room.view(0), &out) }
    #expect(mine.state.joins == .nobody)
  }

  @Test(
    "a member that joins a part whose gates do not exclude it takes its exclusive right to conduct there",
    arguments: [true, false])
  func claimsAfterJoining(isNewer: Bool) throws {
    var room = ComponentRoom(2)
    room.pass(1)
    var out = Effects()
    var mine = Agreement(reserved: room.ids[1], now: room.now)
    var theirs = Agreement(reserved: .nobody, now: room.now)
    try theirs.start(SessionCore.Beginning(), room.view(0), &out)
    // The only member that this part's gates let conduct is away.
    (mine.state, mine.state.policy.gates) = (theirs.state, .monarchic(MemberID(0xBEEF)))
    if !isNewer { mine.state.begin(mine.state.version.next(heldBy: room.ids[1], at: room.now)) }
    theirs.state.begin(theirs.state.version.next(heldBy: room.ids[0], at: room.now))
    #expect(mine.only == .nobody && mine.state.relation(of: theirs.state) == (isNewer ? .newer : .diverging))
    let base = try #require(room.clocks[1].base)
    let part = OtherPart(lineage: base.lineage, keeper: base.keeper, standing: PartStanding())
    mine.separatePart = SeparatePart(
      part: part, until: room.now.advanced(bySeconds: 10), since: room.now, wasReported: true)
    mine.separatePart?.state = theirs.state
    try mine.joinOtherPart(room.view(1), &out)
    #expect(mine.state.timeline == theirs.state.timeline)
    #expect(mine.state.policy.only == room.ids[1] && mine.state.version.holder == room.ids[1])
  }

  @Test("a member with the exclusive right takes over from the conductor that a forged state names")
  func claimsFromForged() throws {
    var room = ComponentRoom(2)
    room.pass(1)
    var out = Effects()
    var mine = Agreement(reserved: room.ids[1], now: room.now)
    var theirs = Agreement(reserved: .nobody, now: room.now)
    try theirs.start(SessionCore.Beginning(), room.view(0), &out)
    mine.state = theirs.state
    mine.state.policy.only = room.ids[1]
    #expect(mine.only == room.ids[1] && mine.state.conductor == room.ids[0])
    mine.claimRight(room.view(1), &out)
    #expect(mine.state.policy.only == room.ids[1] && mine.state.version.holder == room.ids[1])
    #expect(mine.state.timeline == theirs.state.timeline)
    let claimed = mine.state.version
    mine.claimRight(room.view(1), &out)
    #expect(mine.state.version == claimed)
  }

  @Test("a state by a member that a separate part's rules exclude does not replace that part's state")
  func forgedContinuation() throws {
    var room = ComponentRoom(3)
    room.pass(1)
    var out = Effects()
    var mine = Agreement(reserved: .nobody, now: room.now)
    var theirs = Agreement(reserved: room.ids[1], now: room.now)
    try mine.start(SessionCore.Beginning(), room.view(0), &out)
    try theirs.start(SessionCore.Beginning(), room.view(1), &out)
    mine.recordDivergingState(theirs.state, room.view(0), &out)
    let summary = StateSummary(version: theirs.state.version, base: room.view(0).clock.base)
    _ = room.rosters[0].store(summary, of: room.ids[1], sent: room.now)
    var forged = theirs.state
    forged.begin(theirs.state.version.next(heldBy: room.ids[2], at: room.now))
    forged.holderInstallation = room.ids[2]
    mine.recordDivergingState(forged, room.view(0), &out)
    #expect(mine.separatePart?.state == theirs.state)
    try theirs.setGates(.monarchic(room.ids[1]), room.view(1), &out)
    mine.recordDivergingState(theirs.state, room.view(0), &out)
    #expect(mine.separatePart?.state == theirs.state)
  }

  @Test("a conductor that follows a separate part of the room does not conduct this part")
  func conductorElsewhere() throws {
    var room = ComponentRoom(3)
    room.pass(1)
    var out = Effects()
    var conductor = Agreement(reserved: .nobody, now: room.now)
    try conductor.start(SessionCore.Beginning(), room.view(0), &out)
    var mine = Agreement(reserved: .nobody, now: room.now)
    mine.receive(conductor.state, from: room.ids[0], room.view(1), &out)
    #expect(mine.conductor(room.view(1)) == room.ids[0])
    // The conductor's laptop slept, and then followed another part, of which this part was told.
    let theirs = TimeBase(lineage: room.ids[2], founded: 1, term: 0, keeper: room.ids[2])
    let summary = StateSummary(version: conductor.state.version, base: theirs)
    _ = room.rosters[1].store(summary, of: room.ids[0], sent: room.now)
    let part = OtherPart(lineage: room.ids[2], keeper: room.ids[2], standing: PartStanding())
    mine.separatePart = SeparatePart(
      part: part, until: room.now.advanced(bySeconds: 10), since: room.now, wasReported: true)
    #expect(mine.conductor(room.view(1)) == nil)
    try mine.mayConduct(room.view(1), isTaking: true)
  }

  @Test("a state that lifts an exclusive right is refused until the right's owner has adopted it")
  func liftedByOwner() throws {
    var room = ComponentRoom(3)
    room.pass(1)
    var out = Effects()
    let teacher = room.ids[0]
    var owner = Agreement(reserved: teacher, now: room.now)
    try owner.start(SessionCore.Beginning(), room.view(0), &out)
    var mine = Agreement(reserved: .nobody, now: room.now)
    mine.receive(owner.state, from: teacher, room.view(2), &out)
    mine.updateAbsence(room.view(2))
    #expect(mine.only == teacher)
    var lifted = owner.state
    lifted.begin(lifted.version.next(heldBy: room.ids[1], after: lifted.version.counter, at: room.now))
    lifted.holderInstallation = room.ids[1]
    (lifted.policy.only, lifted.policy.lifted) = (.nobody, teacher)
    mine.receive(lifted, from: room.ids[1], room.view(2), &out)
    #expect(mine.state == owner.state)
    let summary = StateSummary(version: lifted.version, base: room.view(2).clock.base)
    _ = room.rosters[2].store(summary, of: teacher, sent: room.now)
    mine.receive(lifted, from: room.ids[1], room.view(2), &out)
    #expect(mine.state == lifted)
  }

  @Test("a state that its holder may not write is refused, and the valid state is rewritten above it")
  func refusal() throws {
    var room = ComponentRoom(3)
    room.pass(1)
    var out = Effects()
    let teacher = room.ids[0]
    var mine = Agreement(reserved: teacher, now: room.now)
    try mine.start(SessionCore.Beginning(), room.view(0), &out)
    let held = mine.state
    var forged = held
    forged.begin(held.version.next(heldBy: room.ids[1], after: held.version.counter, at: room.now))
    (forged.holderInstallation, forged.timeline) = (room.ids[1], nil)
    mine.receive(forged, from: room.ids[1], room.view(0), &out)
    #expect(out.counts.gated == 1)
    #expect(mine.state.timeline == held.timeline)
    #expect(mine.state.conductor == teacher)
    #expect(mine.state.version.counter > forged.version.counter)
  }

  @Test("a member that lacks the state is sent it with growing pauses until it acknowledges the state")
  func push() throws {
    var room = ComponentRoom(2)
    room.pass(1)
    var (mine, out) = (Agreement(reserved: .nobody, now: room.now), Effects())
    try mine.start(SessionCore.Beginning(), room.view(0), &out)
    var sent = out.datagrams().count
    #expect(sent == 1)
    for _ in 0..<1000 {
      room.now = room.now.advanced(bySeconds: 0.01)
      mine.push(room.view(0), &out)
      sent += out.datagrams().count
    }
    #expect((6...12).contains(sent), "\(sent) in ten seconds")
    _ = room.rosters[0].store(mine.state.version, of: room.ids[1])
    mine.updatePush(of: room.ids[1], room.view(0))
    room.now = room.now.advanced(bySeconds: 100)
    mine.push(room.view(0), &out)
    #expect(out.datagrams().isEmpty)
    #expect(mine.next == .distantFuture)
  }
}

extension ComponentRoom {
  /// Returns a state of the room's first clock that a member has written; with a gate if `isGated`.
  fileprivate func state(
    _ counter: UInt32, by index: Int, isGated: Bool = false, revision: UInt32 = 65536
  ) -> SessionState {
    var state = SessionState.none
    (state.lineage, state.holderInstallation) = (ids[0], ids[index])
    state.version = StateVersion(counter: counter, holder: ids[index], revision: revision)
    if isGated { state.policy.gates.set(0.5, .notes) }
    return state
  }
}
