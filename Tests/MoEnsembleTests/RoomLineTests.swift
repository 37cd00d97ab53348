import MoInstruments
import MoOrchestra
import MoTime
import Testing

@testable import MoEnsemble

@Suite("A room in a line")
struct RoomLineTests {
  private func member(_ name: String, isMe: Bool = false, conducts: Bool = false) -> SessionMember {
    var settings = SessionCore.Settings(
      room: "Lab",
      identity: SessionIdentity(
        member: MemberID(7), installation: MemberID(8), name: name, program: "p", release: "1"))
    settings.listening = 0
    let core = SessionCore(settings, now: .zero)
    var member = core.roster(at: .zero)[0]
    (member.isMe, member.isConductor) = (isMe, conducts)
    return member
  }

  @Test("says who is here and where the music is, and how many it has no room for")
  func line() {
    let me = member("Ada", isMe: true)
    #expect(
      RoomLine.text([me], room: "Lab", position: nil, tempo: nil)
        == "room Lab: no rhythm   nobody else is here\n")
    let position = BarPosition(bar: 7, beat: 2.5, meter: .common)
    #expect(
      RoomLine.text([me, member("Ben", conducts: true)], room: "Lab", position: position, tempo: 95.6)
        == "room Lab: bar 7, beat 3, 96 beats a minute   with ♪Ben\n")
    let crowd = [me] + (1...39).map { member("player \($0)") }
    let line = RoomLine.text(crowd, room: "Lab", position: position, tempo: 96)
    #expect(line.count <= RoomLine.columns + 1)
    #expect(line.hasSuffix(" player 2 +37\n"), "\(line)")
  }

  @Test("a lonely room is asked about only where another is near; a new one is as good as any")
  func lonely() {
    #expect(
      Loneliness.text("Labb", others: ["Lab", "Stage"])
        == "nobody else is in the room Labb yet: this one plays on alone; did you mean the room Lab? --room Lab"
    )
    #expect(
      Loneliness.text("Kitchen", others: ["Lab"])
        == "nobody else is in the room Kitchen yet: this one plays on alone")
  }
}
