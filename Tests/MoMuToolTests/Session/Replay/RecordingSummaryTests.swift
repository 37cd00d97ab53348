import MoCore
import MoOrchestra
import MoSessionCore
import Testing

@testable import MoMuTool

@Suite("The summary of a session's tape")
struct RecordingSummaryTests {
  private func entry(_ seconds: Double, _ note: SessionTapeNote) -> SessionTapeEntry {
    SessionTapeEntry(time: HostTime(seconds: seconds), beat: nil, note: note)
  }

  @Test("knows a player's name after 300 starts of programs")
  func names() {
    var summary = RecordingSummary(only: "Ada")
    for number in 1...300 {
      let id = MemberID(UInt64(number))
      let name = number == 300 ? "Ada" : "Ben \(number)"
      let member = SessionTapeMember(
        member: id, installation: id, name: name, program: "momu run", isHere: true)
      summary.add(entry(0, .member(member)))
    }
    let note = SessionPlay.note(SessionNote(pitch: 60, instrument: "harp"))
    for number in [299, 300] as [UInt64] {
      let heard = SessionHeard(
        from: MemberID(number), play: note, time: HostTime(seconds: 1), beat: nil, late: 0)
      summary.add(entry(1, .heard(heard)))
    }
    #expect(summary.parts == ["harp": 1])
  }

  @Test("lists 24 changes of the rhythm, and counts the others")
  func rhythms() {
    var summary = RecordingSummary()
    for step in 0..<30 {
      let timeline = Timeline.beginning(
        at: SessionTime(nanoseconds: 0), tempo: 60 + Double(step), meter: .common, take: 1)
      let state = SessionState(
        version: StateVersion(counter: 1, holder: MemberID(1), revision: UInt32(step)), lineage: MemberID(1),
        isHeld: true, holderInstallation: MemberID(1), timeline: timeline)
      // A state that changes nothing in the rhythm does not count.
      for _ in 0..<2 { summary.add(entry(Double(step), .state(state))) }
    }
    let text = summary.text(path: "e.osc", start: 0, madeBy: nil)
    #expect(text.contains("  rhythm  0:23  83 beats per minute in 4/4\n"))
    #expect(text.hasSuffix("\n  rhythm  and 6 further changes\n"))
  }
}
