import MoCore
import MoSessionSimulation
import Testing

@testable import MoSessionCore

extension VirtualOrchestra {
  /// Makes one member assign others to a section.
  mutating func assign(_ section: String, _ indices: [Int], by leader: Int = 0) throws {
    for index in indices {
      let id = id(index)
      _ = try act(leader) { core, now throws(SessionRefusal) in
        try core.setSection(section, of: id, now: now)
      }
    }
  }

  mutating func setLevel(_ level: Float, _ section: String, by index: Int = 0) throws {
    _ = try act(index) { core, now throws(SessionRefusal) in
      try core.setLevel(level, ofSection: section, now: now)
    }
  }

  mutating func setMuted(_ isMuted: Bool, _ section: String, by index: Int = 0) throws {
    _ = try act(index) { core, now throws(SessionRefusal) in
      try core.setMuted(isMuted, section: section, now: now)
    }
  }

  /// The levels that a member was sent for itself.
  func levels(_ index: Int) -> [Float] {
    members[index].events.compactMap { if case .level(let level) = $0.event { level } else { nil } }
  }

  func status(_ section: String, at index: Int = 0) throws -> [String: SectionStatus] {
    let places = try core(index).sectionRoster(section, at: host(index))
    return Dictionary(uniqueKeysWithValues: places.map { ($0.name ?? "?", $0.status) })
  }
}

@Suite("Sections with a leader")
struct SectionTests {
  @Test(
    "a level applies to the section alone, the lowest of several sections counts, and muted is 0")
  func levels() throws {
    for network in [SimulatedNetwork.wire, .badWiFi] {
      var orchestra = VirtualOrchestra.room(4, on: network)
      try orchestra.start(0)
      try orchestra.assign("drums", [1, 2])
      try orchestra.assign("low", [2, 3])
      orchestra.pass(2)
      try orchestra.setLevel(0.5, "drums")
      try orchestra.setLevel(0.25, "low")
      orchestra.pass(3)
      #expect((0..<4).map { orchestra.core($0).sectionLevel } == [1, 0.5, 0.25, 0.25])
      try orchestra.setMuted(true, "drums")
      orchestra.pass(3)
      #expect((0..<4).map { orchestra.core($0).sectionLevel } == [1, 0, 0, 0.25])
      // The level outlives the silence.
      try orchestra.setMuted(false, "drums")
      orchestra.pass(3)
      #expect((0..<4).map { orchestra.core($0).sectionLevel } == [1, 0.5, 0.25, 0.25])
      #expect(orchestra.levels(1) == [0.5, 0, 0.5])
      #expect(orchestra.levels(0) == [])
      // A removed member plays at full level.
      let id = orchestra.id(1)
      _ = try orchestra.act(0) { core, now throws(SessionRefusal) in
        try core.setSection("drums", of: id, false, now: now)
      }
      orchestra.pass(3)
      #expect(orchestra.levels(1).last == 1)
    }
  }

  @Test("of two programs on a machine, a section always names the one that plays an instrument")
  func recorder() throws {
    var orchestra = VirtualOrchestra.room(3) { index, settings in
      if index > 0 { settings.identity.installation = MemberID(0xBEEF) }
      settings.identity.name = ["Ben", "Rec", "Ada"][index]
      settings.plays = index == 2 ? "harp" : ""
    }
    try orchestra.start(0)
    try orchestra.assign("drums", [2])
    orchestra.pass(2)
    for _ in 0..<40 {
      orchestra.pass(0.25)
      #expect(try orchestra.status("drums").keys.sorted() == ["Ada"])
    }
    // Without the player, the other program stands for the machine.
    orchestra.crash(2)
    orchestra.pass(4)
    #expect(try orchestra.status("drums").keys.sorted() == ["Rec"])
  }

  @Test("a late or returning member has the same level as the others, even after the leader has left")
  func late() throws {
    var orchestra = VirtualOrchestra.room(4, on: .badWiFi, seed: 2)
    try orchestra.start(0)
    try orchestra.assign("drums", [1, 2])
    orchestra.pass(2)
    try orchestra.setLevel(0.5, "drums")
    orchestra.pass(1)
    orchestra.crash(2)
    orchestra.pass(8)
    try orchestra.setMuted(true, "drums")
    orchestra.pass(2)
    orchestra.crash(0)
    orchestra.pass(6)
    orchestra.join(2)
    orchestra.pass(5)
    #expect(orchestra.core(2).state.policy.sections == orchestra.core(1).state.policy.sections)
    #expect(orchestra.core(1).sectionLevel == 0)
    #expect(orchestra.core(2).sectionLevel == 0)
    #expect(orchestra.core(3).sectionLevel == 1)
  }

  @Test("a member that does not lead sets nothing, and a hostile one that bypasses the check is ignored")
  func gates() throws {
    var orchestra = VirtualOrchestra.room(3)
    try orchestra.start(0)
    try orchestra.set(.monarchic(orchestra.installation(0)), by: 0)
    try orchestra.assign("drums", [0, 1])
    orchestra.pass(1)
    #expect(
      orchestra.refusal(1) { core, now throws(SessionRefusal) in
        try core.setMuted(true, section: "drums", now: now)
      }.isClosed)
    #expect(
      orchestra.refusal(1) { core, now throws(SessionRefusal) in
        try core.play(.cue(SessionCue(.comeIn)), to: .others, now: now)
      }.isClosed)
    for round in 1...20 {
      _ = orchestra.act(1) { core, now in
        core.agreement.state.policy.sections.setMuted(round % 2 == 0, "drums")
        core.agreement.state.version = core.state.version.next(
          heldBy: core.me, after: core.agreement.highestEpoch &+ UInt32(round), at: now)
        core.agreement.state.isHeld = true
        core.agreement.state.holderInstallation = core.settings.identity.installation
        core.sendWritten(at: now)
        // Bypasses its own check: straight into the queue to the others.
        for id in core.members.keys.sorted() {
          _ = core.post(
            PlayMessage(
              from: core.me, to: id, stream: 0, number: 0, first: 0, stamp: nil,
              play: .cue(SessionCue(.leaveOff))), at: now)
        }
      }
      orchestra.pass(0.4)
      for index in [0, 2] {
        #expect(!orchestra.core(index).state.policy.sections.isMuted("drums"))
        #expect(!orchestra.heard(index).contains { if case .cue = $0.play { true } else { false } })
      }
    }
    #expect(orchestra.core(0).counts.gated >= 20)
  }

  @Test(
    "only a member that may conduct assigns sections; a hostile one is not believed, and overwrites nothing",
    arguments: ["monarchic", "centralised"])
  func assigned(preset: String) throws {
    var orchestra = VirtualOrchestra.room(4, on: .badWiFi)
    let first = orchestra.installation(0)
    try orchestra.set(preset == "monarchic" ? .monarchic(first) : .centralised(first), by: 0)
    try orchestra.assign("drums", [1, 2])
    orchestra.pass(3)
    let (outsider, drummer) = (orchestra.id(3), orchestra.id(1))
    let drummers = Set([orchestra.installation(1), orchestra.installation(2)])
    #expect(
      orchestra.refusal(3) { core, now throws(SessionRefusal) in
        try core.setSection("drums", of: drummer, false, now: now)
      }.isClosed)
    #expect(
      orchestra.refusal(3) { core, now throws(SessionRefusal) in
        try core.setSection("brass", of: outsider, now: now)
      }.isClosed)
    let leader = first.authorBits
    for round in 1...12 as ClosedRange<UInt32> {
      if round == 7 {
        orchestra.crash(3)
        orchestra.join(3)
        orchestra.pass(3)
      }
      // Bypasses its own check: itself in, a drummer out, under its own mark and the leader's.
      _ = try orchestra.act(3) { core, now throws(SessionRefusal) in
        let mine = core.settings.identity.installation
        for (installation, value) in [(mine, 1), (drummers.first ?? mine, 0)] as [(MemberID, UInt16)] {
          let cell = SharedCell(value: value, count: 1000 * round, author: mine.authorBits)
          for mark in [mine.authorBits, leader] {
            let key = SectionKey.key(SectionKey.place(of: installation), by: mark)
            try core.share(SharedEdits("section/drums", [SharedEdit(key: key, cell: cell)]), now: now)
          }
        }
      }
      orchestra.pass(0.5)
      for index in 0..<3 { #expect(Set(orchestra.core(index).section("drums")) == drummers) }
    }
    #expect(orchestra.core(0).counts.gated > 0)
    // An authorised member is obeyed as before, also by a member that joined meanwhile.
    _ = try orchestra.act(0) { core, now throws(SessionRefusal) in
      try core.setSection("drums", of: drummer, false, now: now)
    }
    orchestra.crash(2)
    orchestra.pass(6)
    orchestra.join(2)
    orchestra.pass(5)
    for index in 0..<3 {
      #expect(orchestra.core(index).section("drums") == [orchestra.installation(2)])
    }
  }

  @Test("while a member conducts no other assigns; without a conductor any member with an open gate")
  func assigning() throws {
    var orchestra = VirtualOrchestra.room(3)
    try orchestra.assign("drums", [2], by: 1)
    orchestra.pass(1)
    try orchestra.start(0)
    orchestra.pass(1)
    let id = orchestra.id(2)
    #expect(
      orchestra.refusal(1) { core, now throws(SessionRefusal) in
        try core.setSection("drums", of: id, false, now: now)
      } == .conducted(by: "p1"))
    // Its earlier assignments count until its gate is closed, and again after that is opened; p1 can change them.
    var gates = GateTable()
    gates.set(0, .rhythm, from: orchestra.installation(1))
    try orchestra.set(gates, by: 0)
    orchestra.pass(1)
    #expect((0..<3).allSatisfy { orchestra.core($0).sections == [] })
    try orchestra.set(.democratic, by: 0)
    orchestra.pass(1)
    #expect((0..<3).allSatisfy { orchestra.core($0).section("drums") == [orchestra.installation(2)] })
    _ = try orchestra.act(0) { core, now throws(SessionRefusal) in
      try core.setSection("drums", of: id, false, now: now)
    }
    orchestra.pass(1)
    #expect((0..<3).allSatisfy { orchestra.core($0).sections == [] })
  }

  @Test(
    "a muted section sounds nowhere: its members send nothing, and a message sent all the same is dropped")
  func muted() throws {
    var orchestra = VirtualOrchestra.room(3)
    try orchestra.assign("keys", [1])
    orchestra.pass(1)
    _ = try orchestra.act(0) { core, now throws(SessionRefusal) in
      try core.setMuted(true, section: "keys", now: now)
    }
    orchestra.pass(1)
    let from = orchestra.heard(2).count
    #expect((0..<3).map { orchestra.core($0).mutedSections } == [[], ["keys"], []])
    #expect(!orchestra.core(2).isAudible(orchestra.id(1), at: orchestra.host(2)))
    try orchestra.play(1, .hit(SessionHit(force: 1)), to: .everyone)
    try orchestra.play(1, .note(SessionNote(pitch: 60)), to: .others)
    try orchestra.play(1, .melody(SessionMelody(beats: 4, [])), to: .others)
    try orchestra.play(1, .note(SessionNote(pitch: 60, velocity: 0)), to: .others)
    _ = orchestra.act(1) { core, now in
      for id in core.members.keys.sorted() {
        _ = core.post(
          PlayMessage(
            from: core.me, to: id, stream: 0, number: 0, first: 0, stamp: nil,
            play: .hit(SessionHit(force: 1))), at: now)
      }
    }
    orchestra.pass(1)
    let notes = orchestra.heard(2)[from...].map(\.play)
    #expect(notes == [.note(SessionNote(pitch: 60, velocity: 0))], "a note that sounds is let go")
    #expect(orchestra.core(1).counts.withheld == 3 && orchestra.core(2).counts.silenced == 1)
    _ = try orchestra.act(0) { core, now throws(SessionRefusal) in
      try core.setMuted(false, section: "keys", now: now)
    }
    orchestra.pass(1)
    try orchestra.play(1, .hit(SessionHit(force: 1)), to: .others)
    orchestra.pass(1)
    #expect(orchestra.heard(2).count == from + 2)
  }

  @Test("a cue is delivered on arrival, up to two bars ahead, and its beat stays")
  func cueAhead() throws {
    var orchestra = VirtualOrchestra.room(3, on: .goodWiFi)
    try orchestra.start(0)
    orchestra.pass(3)
    let (sent, here) = (orchestra.seconds, try #require(orchestra.beat(0)))
    try orchestra.play(0, .cue(SessionCue(.ready, "softer")), to: .others, at: .beat(here.rounded(.up) + 8))
    orchestra.pass(0.3)
    for index in 1...2 {
      let cue = try #require(orchestra.members[index].heard.last)
      #expect(cue.seconds - sent < 0.3 && cue.play.late == 0)
      #expect(cue.play.beat == here.rounded(.up) + 8)
      // 120 beats per minute.
      #expect(abs(orchestra.sounds(index, cue.play) - sent - (cue.play.beat! - here) / 2) < 0.01)
    }
    #expect(SessionCue(.ready, "softer").description == "softer")
    #expect(SessionCue(.ready).description == "get ready")
  }

  @Test("a cue reaches its section at its bar line, once, and not its sender")
  func cue() throws {
    var orchestra = VirtualOrchestra.room(4, on: .goodWiFi)
    try orchestra.start(0)
    try orchestra.assign("drums", [1, 2])
    orchestra.pass(3)
    try orchestra.play(0, .cue(SessionCue(.comeIn, "the bridge")), to: .section("drums"), at: .next(.bar))
    orchestra.pass(4)
    let cues = (0..<4).map { index in
      orchestra.heard(index).filter { if case .cue = $0.play { true } else { false } }
    }
    #expect(cues.map(\.count) == [0, 1, 1, 0])
    let beat = try #require(cues[1][0].beat)
    #expect(beat == cues[2][0].beat && abs(beat.truncatingRemainder(dividingBy: 4)) < 1e-6)
    #expect(abs(orchestra.sounds(1, cues[1][0]) - orchestra.sounds(2, cues[2][0])) < 0.001)
    #expect(cues[1][0].play == .cue(SessionCue(.comeIn, "the bridge")))
    #expect(SessionCue(.comeIn, "the bridge").description == "come in: the bridge")
  }

  @Test("a misspelt name is an error that proposes the nearest one")
  func misspelt() throws {
    var orchestra = VirtualOrchestra.room(2)
    try orchestra.assign("strings", [1])
    orchestra.pass(1)
    let refusals = [
      orchestra.refusal(0) { core, now throws(SessionRefusal) in
        try core.setMuted(true, section: "stings", now: now)
      },
      orchestra.refusal(0) { core, now throws(SessionRefusal) in
        try core.setLevel(0, ofSection: "stings", now: now)
      },
      orchestra.refusal(0) { core, now throws(SessionRefusal) in
        try core.play(.cue(SessionCue(.comeIn)), to: .section("stings"), now: now)
      },
      orchestra.refusal(0) { core, now throws(SessionRefusal) in
        _ = try core.sectionRoster("stings", at: now)
      },
    ]
    let text = "there is no section \"stings\": did you mean \"strings\"? The sections are strings"
    #expect(refusals.map { $0?.description } == [text, text, text, text])
  }

  @Test("the leader sees which members play, are silent, are late and are lost")
  func status() throws {
    var orchestra = VirtualOrchestra.room(5)
    try orchestra.start(0)
    try orchestra.assign("drums", [0, 1, 2, 3, 4])
    orchestra.pass(1)
    orchestra.crash(4)
    for _ in 0..<12 {
      try orchestra.play(1, .hit(SessionHit(force: 1)), to: .others)
      let beat = try #require(orchestra.beat(3))
      // For a beat that has passed.
      try orchestra.play(3, .hit(SessionHit(force: 1)), to: .others, at: .beat(beat - 2))
      orchestra.pass(1)
    }
    let status = try orchestra.status("drums")
    #expect(status["p1"] == .playing && status["p2"] == .playing)
    #expect(status["p4"] == .late && status["p5"] == .lost)
    guard case .silent(let seconds)? = status["p3"] else {
      Issue.record("\(status)")
      return
    }
    #expect(seconds > 8)
  }

  @Test("entries are limited to the size of a datagram, gates included")
  func bounds() throws {
    var levels = SectionLevels()
    let sets = (0..<SectionLevels.most).map { levels.set(0.5, of: "s\($0)") }
    #expect(!sets.contains(false))
    let beyond = levels.set(0.5, of: "one more")
    #expect(!beyond)
    let back = [levels.set(1, of: "s3"), levels.set(0.5, of: "one more"), levels.set(.nan, of: "s4")]
    #expect(back == [true, true, true])
    #expect(levels.level("s3") == 1 && levels.level("one more") == 0.5 && levels.level("s4") == 0)
    var state = Sample.patterned(segments: 3)
    var gates = GateTable()
    for number in 1...24 as ClosedRange<UInt64> {
      gates.set(0, .notes, from: MemberID(number), to: MemberID(99))
    }
    (state.policy.gates, state.policy.sections) = (gates, levels)
    for bar in 8...13 as ClosedRange<Int32> {
      _ = state.pattern.add(PatternPlan.Entry(bar: bar, level: 3, total: 1))
    }
    #expect(state.pattern.count == PatternPlan.most)
    #expect(SessionMessage.state(from: Sample.me, state).encoded().count <= 1400)
    #expect(SectionLevels.Entry(id: 0, bits: 1) == nil)
    #expect(SectionLevels.Entry(id: 1, bits: 101) == nil)
    #expect(SectionLevels.Entry(id: 1, bits: 512) == nil)
  }
}
