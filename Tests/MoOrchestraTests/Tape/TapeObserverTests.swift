import MoCore
import MoMu
import MoOSC
import MoOrchestra
import MoSessionCore
import MoSessionSimulation
import Testing

extension VirtualOrchestra {
  /// Records a member from now on.
  mutating func record(_ index: Int) -> Locked<[SessionTapeEntry]> {
    let entries = Locked<[SessionTapeEntry]>([])
    members[index].core?.isRecorded = true
    watch(index) { core, now in
      let new = core.takeTape(at: now)
      entries.withLock { $0 += new }
    }
    return entries
  }

  mutating func play(
    _ index: Int, _ play: SessionPlay, to aim: SessionAim = .crowd(.everyone), at moment: SessionMoment = .now
  ) throws {
    _ = try act(index) { core, now throws(SessionRefusal) in
      try core.play(play, to: aim, at: moment, now: now)
    }
  }

  /// Sets a shared cell to a value.
  mutating func set(_ index: Int, _ key: Int64, to value: UInt16) throws {
    _ = try act(index) { core, now throws(SessionRefusal) in
      let before = core.shared("drums").first { $0.key == key }?.cell ?? SharedCell(word: 0)
      let edit = SharedEdit(key: key, cell: before.changed(to: value, by: UInt16(index + 1)))
      try core.share(SharedEdits("drums", [edit]), now: now)
    }
  }
}

@Suite("Recording a session")
struct TapeObserverTests {
  @Test("records each received and sent event once, in order of time, with its beat")
  func plays() throws {
    var orchestra = VirtualOrchestra.room(3, on: .goodWiFi)
    let recording = orchestra.record(1)
    try orchestra.start(0)
    orchestra.pass(3)
    for round in 0..<40 {
      try orchestra.play(round % 3, .hit(SessionHit(force: 0.5, drum: round)), at: .next(.sixteenth))
      try orchestra.play(2, .change(SessionChange("tone", Float(round))), to: .member(orchestra.id(1)))
      try orchestra.set(round % 3, Int64(round), to: 5)
      orchestra.pass(0.3)
    }
    orchestra.pass(2)
    let tape = recording.withLock { $0 }
    #expect(zip(tape, tape.dropFirst()).allSatisfy { $0.time <= $1.time })
    let heard = tape.compactMap { entry -> SessionHeard? in
      if case .heard(let heard) = entry.note { heard } else { nil }
    }
    #expect(heard == orchestra.members[1].heard.map(\.play))
    #expect(heard.count > 80)
    let sent = tape.compactMap { entry -> SessionSent? in
      if case .sent(let sent) = entry.note { sent } else { nil }
    }
    #expect(sent.count { if case .hit = $0.play { $0.isForMe && $0.aim == "everyone" } else { false } } == 13)
    #expect(sent.count { if case .cells = $0.play { true } else { false } } == 13)
    // If it was also received, both entries have the same time.
    for sent in sent where sent.isForMe {
      let same = try #require(heard.first { $0.play == sent.play && $0.from == orchestra.id(1) })
      #expect(same.beat == sent.beat)
      #expect(abs(same.time.seconds(since: sent.time)) < 0.001)
    }
  }

  @Test("the clock's lines give the shared clock to 25 µs at any time, also on a bad network")
  func clock() throws {
    var orchestra = VirtualOrchestra.room(4, on: .badWiFi, seed: 5)
    let index = try #require((0..<4).first { orchestra.core($0).isKeeper == false })
    let recording = orchestra.record(index)
    try orchestra.start(index)
    orchestra.pass(2)
    var line: (SessionTapeClock, HostTime)?
    var (seen, farthest) = (0, 0.0)
    for _ in 0..<3000 {
      orchestra.pass(0.02)
      let tape = recording.withLock { $0 }
      for entry in tape[seen...] {
        if case .clock(let clock) = entry.note { line = (clock, entry.time) }
      }
      seen = tape.count
      let now = orchestra.host(index)
      let (clock, at) = try #require(line)
      let elapsed = Double(now.nanoseconds - at.nanoseconds)
      let told = clock.shared.nanoseconds + Int64(elapsed + elapsed * clock.rate)
      let shown = orchestra.core(index).beatClock.sessionTime(at: now).nanoseconds
      farthest = max(farthest, Double((told - shown).magnitude))
    }
    #expect(farthest < 25_000, "\(farthest) ns")
    let lines = recording.withLock { $0 }.count { if case .clock = $0.note { true } else { false } }
    #expect((55...400).contains(lines), "\(lines)")
  }

  @Test("records arrivals, departures, conductors, movement, the shared state, and earlier shared edits")
  func room() throws {
    var orchestra = VirtualOrchestra.room(3)
    try orchestra.set(0, 3, to: 7)
    orchestra.pass(1)
    let recording = orchestra.record(0)
    try orchestra.start(0)
    orchestra.pass(1)
    let installation = orchestra.members[0].settings.identity.installation
    _ = try orchestra.act(0) { core, now throws(SessionRefusal) in
      try core.setGates(.monarchic(installation), now: now)
    }
    for _ in 0..<20 {
      for index in 0..<3 { _ = orchestra.act(index) { core, now in core.setActivity(0.5, now: now) } }
      orchestra.pass(0.1)
    }
    _ = orchestra.act(1) { core, now in core.callForSilence(now: now) }
    orchestra.crash(2)
    orchestra.pass(12)
    let notes = recording.withLock { $0 }.map(\.note)
    guard case .room(let room) = notes[0] else {
      Issue.record("\(notes[0])")
      return
    }
    #expect(room == SessionTapeRoom(name: "Lab", member: orchestra.id(0), program: "simulation"))
    let there = notes.compactMap { note -> SessionTapeMember? in
      if case .member(let member) = note { member } else { nil }
    }
    #expect(there.filter(\.isHere).map(\.name) == ["p1", "p2", "p3"])
    #expect(there.filter { !$0.isHere }.map(\.name) == ["p3"])
    #expect(notes.contains(.panic(orchestra.id(1))))
    let states = notes.compactMap { note -> SessionState? in
      if case .state(let state) = note { state } else { nil }
    }
    #expect(states.last == orchestra.core(0).state)
    #expect(states.contains { $0.policy.gates == .monarchic(installation) })
    let moved = notes.compactMap { note -> MemberID? in
      if case .activity(let id, _) = note { id } else { nil }
    }
    #expect(Set(moved).count == 3)
    #expect(
      notes.contains { note in
        guard case .heard(let heard) = note, case .cells(let cells) = heard.play else { return false }
        return cells.edits.map(\.key) == [3]
      })
  }

  @Test("records the levels of sections for each member, and the beginning and the end of a silence")
  func levels() throws {
    var orchestra = VirtualOrchestra.room(3)
    try orchestra.start(0)
    orchestra.pass(1)
    let recording = orchestra.record(1)
    func lead(_ body: (inout SessionCore, HostTime) throws(SessionRefusal) -> Void) throws {
      _ = try orchestra.act(0) { core, now throws(SessionRefusal) in try body(&core, now) }
      orchestra.pass(0.2)
    }
    orchestra.pass(2)
    let id = orchestra.id(2)
    try lead { core, now throws(SessionRefusal) in try core.setSection("drums", of: id, now: now) }
    try lead { core, now throws(SessionRefusal) in try core.setLevel(0.5, ofSection: "drums", now: now) }
    try lead { core, now throws(SessionRefusal) in try core.setMuted(true, section: "drums", now: now) }
    try lead { core, now throws(SessionRefusal) in try core.setMuted(false, section: "drums", now: now) }
    try lead { core, now throws(SessionRefusal) in try core.setLevel(1, ofSection: "drums", now: now) }
    _ = orchestra.act(2) { core, now in core.setPlays("harp") }
    orchestra.pass(3)
    try lead { core, now throws(SessionRefusal) in core.callForSilence(now: now) }
    try lead { core, now throws(SessionRefusal) in try core.liftSilence(now: now) }
    let notes = recording.withLock { $0 }.map(\.note)
    let members = notes.compactMap { note -> SessionTapeMember? in
      if case .member(let member) = note, member.member == id { member } else { nil }
    }
    #expect(members.map(\.level) == [1, 0.5, 0, 0.5, 1, 1])
    #expect(members.map(\.plays) == ["", "", "", "", "", "harp"])
    let others = notes.compactMap { note -> Float? in
      if case .member(let member) = note, member.member != id { member.level } else { nil }
    }
    #expect(others == [1, 1])
    let silences = notes.filter { note in
      if case .panic = note { true } else { note == .panicLifted }
    }
    #expect(silences == [.panic(orchestra.id(0)), .panicLifted])
  }

  @Test("a tape that begins during a silence begins with the silence")
  func late() throws {
    var orchestra = VirtualOrchestra.room(2)
    orchestra.pass(2)
    _ = orchestra.act(0) { core, now in core.callForSilence(now: now) }
    orchestra.pass(1)
    let recording = orchestra.record(1)
    orchestra.pass(1)
    let silences = recording.withLock { $0 }.filter { if case .panic = $0.note { true } else { false } }
    #expect(silences.map(\.note) == [.panic(orchestra.id(0))])
  }

  @Test(
    "without a reader it stays bounded and counts dropped entries; switched off, it keeps none")
  func bounds() throws {
    var orchestra = VirtualOrchestra.room(1)
    _ = orchestra.act(0) { core, now in
      core.isRecorded = true
      for _ in 0..<10_000 { _ = try? core.play(.hit(SessionHit(force: 1)), to: .crowd(.everyone), now: now) }
      let entries = core.takeTape(at: now)
      #expect(entries.count == 4096)
      #expect((core.observer as? SessionTapeObserver)?.lost ?? 0 > 10_000)
      core.isRecorded = false
      _ = try? core.play(.hit(SessionHit(force: 1)), to: .crowd(.everyone), now: now)
      #expect(core.takeTape(at: now).isEmpty)
    }
  }

  @Test("recording changes no sent datagram")
  func silent() throws {
    func run(isRecorded: Bool) throws -> [Int] {
      var orchestra = VirtualOrchestra.room(3, on: .badWiFi, seed: 9)
      if isRecorded { _ = orchestra.record(0) }
      try orchestra.start(0)
      for round in 0..<30 {
        try orchestra.play(round % 3, .hit(SessionHit(force: 1)), at: .next(.sixteenth))
        orchestra.pass(0.2)
      }
      return orchestra.members.map(\.sent.bytes)
    }
    #expect(try run(isRecorded: true) == run(isRecorded: false))
  }
}
