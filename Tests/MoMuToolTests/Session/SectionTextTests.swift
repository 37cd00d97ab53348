import MoCore
import MoSessionSimulation
import Testing

@testable import MoConsole
@testable import MoMuTool
@testable import MoOrchestra
@testable import MoSessionCore

@Suite("Sections in the terminal")
struct SectionTextTests {
  @Test("shows a line for each section: its level, and the members that are silent, late or lost")
  func lines() throws {
    var orchestra = VirtualOrchestra(count: 3, network: .wire)
    for index in 0..<3 {
      orchestra.join(index)
      orchestra.run(to: orchestra.seconds + (index == 0 ? 0.6 : 0.05))
    }
    orchestra.run(to: 4)
    #expect(Self.lines(&orchestra).isEmpty)
    for index in 0..<3 {
      let id = try #require(orchestra.members[index].core?.settings.identity.member)
      _ = try orchestra.act(0) { core, now throws(SessionRefusal) in
        try core.setSection(index == 2 ? "low strings" : "drums", of: id, now: now)
      }
    }
    _ = try orchestra.act(0) { core, now throws(SessionRefusal) in
      try core.setLevel(0.5, ofSection: "drums", now: now)
      try core.setMuted(true, section: "low strings", now: now)
    }
    orchestra.crash(2)
    orchestra.run(to: 20)
    let lines = Self.lines(&orchestra)
    #expect(lines.count == 2)
    #expect(lines[0].hasPrefix("  1 drums         50 %  p1, p2 silent for 1"), "\(lines[0])")
    #expect(lines[1] == "  2 low strings  muted  p3 LOST")
  }

  private static func lines(
    _ orchestra: inout VirtualOrchestra, columns: Int = 79, order: SectionOrder = SectionOrder()
  ) -> [String] {
    var lines: [String] = []
    _ = orchestra.act(0) { core, now in
      lines = SectionPicture.lines(core, at: now, columns: columns, order: order).map(\.text)
    }
    return lines
  }

  @Test("a member that said goodbye has left, and is not lost, until it comes back")
  func left() throws {
    var orchestra = VirtualOrchestra.room(3)
    for index in 1...2 {
      let id = orchestra.id(index)
      _ = try orchestra.act(0) { core, now throws(SessionRefusal) in
        try core.setSection("drums", of: id, now: now)
      }
    }
    orchestra.pass(1)
    _ = orchestra.act(1) { core, now in core.leave(now: now) }
    orchestra.crash(1)
    orchestra.crash(2)
    orchestra.pass(12)
    #expect(Self.lines(&orchestra) == ["  1 drums  100 %  p3 LOST, p2 left"])
    // A command such as `momu session panic` on the lost member's machine is not the lost program.
    orchestra.configure(2) { $0.isHidden = true }
    orchestra.join(2)
    orchestra.pass(2)
    _ = orchestra.act(2) { core, now in core.leave(now: now) }
    orchestra.crash(2)
    orchestra.pass(1)
    #expect(Self.lines(&orchestra) == ["  1 drums  100 %  p3 LOST, p2 left"])
    orchestra.join(1)
    orchestra.pass(2)
    #expect(Self.lines(&orchestra)[0].hasPrefix("  1 drums  100 %  p3 LOST, p2"))
    #expect(!Self.lines(&orchestra)[0].contains("left"))
  }

  @Test("a new section comes last, so that the keys of the other sections stay")
  func order() throws {
    var orchestra = VirtualOrchestra.room(3)
    let order = SectionOrder()
    for (index, name) in ["low", "brass"].enumerated() {
      let id = orchestra.id(index)
      _ = try orchestra.act(0) { core, now throws(SessionRefusal) in
        try core.setSection(name, of: id, now: now)
      }
      orchestra.pass(0.5)
      _ = Self.lines(&orchestra, order: order)
    }
    #expect(Self.lines(&orchestra, order: order).map { $0.prefix(9) } == ["  1 low  ", "  2 brass"])
    // While parts of a room join, the shared data is empty for a moment.
    #expect(order.sorted([]).isEmpty)
    #expect(order.sorted(["brass", "low"]) == ["low", "brass"])
    // A section that ended and is formed again is a new section.
    #expect(order.sorted(["brass"]) == ["brass"])
    #expect(order.sorted(["brass", "low"]) == ["brass", "low"])
  }

  @Test(
    "names lost members first, counts names that do not fit, and cuts no word",
    arguments: [30, 40, 60, 79, 200])
  func many(columns: Int) {
    let places = (1...40).map { number in
      SectionPlace(
        installation: MemberID(UInt64(number)), name: "Player\(number)",
        status: number % 3 == 0 ? .lost : .silent(seconds: 120))
    }
    let line = SectionPicture.line(level: 0.5, isMuted: false, places, columns: columns).text
    #expect(line.count <= columns, "\(line)")
    #expect(line.hasSuffix(" more") || line.hasSuffix("40 members"), "\(line)")
    #expect(line.contains("  Player3 LOST") || line.contains("40 members"), "\(line)")
  }

  @Test("shows a cue with the beats until it, and for two seconds afterwards")
  func cue() {
    let beat = BeatClock.steady(tempo: 60, from: HostTime(seconds: 10))
    let heard = SessionHeard(
      from: MemberID(1), play: .cue(SessionCue(.comeIn, "the bridge")), time: HostTime(seconds: 14), beat: 4,
      late: 0,
      weight: 1)
    func shown(_ seconds: Double) -> RoomFacts.Cue? {
      RoomFacts.Cue(PendingCue(heard, on: beat), beat, at: HostTime.zero.advanced(bySeconds: seconds))
    }
    let time = HostTime(seconds: 14)
    #expect(shown(11.5) == RoomFacts.Cue("come in: the bridge", beats: 3, time: time))
    #expect(shown(13.5) == RoomFacts.Cue("come in: the bridge", beats: 1, time: time))
    #expect(shown(15) == RoomFacts.Cue("come in: the bridge", time: time))
    #expect(shown(16.5) == nil && RoomFacts.Cue(nil, beat, at: .zero) == nil)
  }
}
