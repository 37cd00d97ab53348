import MoSessionCore
import MoSessionSimulation
import MoTime
import Testing

@testable import MoMuTool
@testable import MoOrchestra

@Suite("Sections in the terminal")
struct SectionTextTests {
  @Test("a line for each section: how loud, and who is silent, late or lost")
  func lines() throws {
    var orchestra = VirtualOrchestra(count: 3, network: .wire)
    for index in 0..<3 {
      orchestra.join(index)
      orchestra.run(to: orchestra.seconds + (index == 0 ? 0.6 : 0.05))
    }
    orchestra.run(to: 4)
    #expect(Self.text(&orchestra) == "")
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
    let lines = Self.text(&orchestra).split(separator: "\n")
    #expect(lines.count == 2)
    #expect(lines[0].hasPrefix("  drums         50 %  p1, p2 silent for 1"), "\(lines[0])")
    #expect(lines[1] == "  low strings  muted  p3 LOST")
  }

  private static func text(_ orchestra: inout VirtualOrchestra) -> String {
    var text = ""
    _ = orchestra.act(0) { core, now in text = SectionPicture.text(core, at: now) }
    return text
  }

  @Test("a cue is shown with the beats until it, and two seconds beyond")
  func cue() {
    let beat = BeatClock.steady(tempo: 60, from: HostTime(seconds: 10))
    let heard = SessionHeard(
      from: MemberID(1), play: .cue(SessionCue(.comeIn, "the bridge")), time: HostTime(seconds: 14), beat: 4,
      late: 0,
      weight: 1)
    func shown(_ seconds: Double) -> String {
      SectionPicture.cue(PendingCue(heard, on: beat), beat, at: HostTime.zero.advanced(bySeconds: seconds))
    }
    #expect(shown(11.5) == "▶ come in: the bridge, in 3 beats\n")
    #expect(shown(13.5) == "▶ come in: the bridge, in 1 beat\n")
    #expect(shown(15) == "▶ come in: the bridge\n")
    #expect(shown(16.5) == "")
    #expect(SectionPicture.cue(nil, beat, at: .zero) == "")
  }
}
