import MoConsole
import MoCore
import MoSessionCore
import MoSessionSimulation
import Testing

@Suite("What a member may do now, by the room's own rules")
struct RoomFactsTests {
  private static func facts(_ orchestra: VirtualOrchestra, _ index: Int) -> RoomFacts {
    RoomFacts(orchestra.core(index), at: orchestra.host(index))
  }

  private static func text(_ facts: RoomFacts) -> String {
    StatusLine.items(facts).map(\.long).joined(separator: "   ")
  }

  @Test("a program that sends no notes shows a closed rhythm gate, but no closed notes gate")
  func withoutNotes() {
    for notes in [.notes, .notesTo(["Cyd"]), .notesBut("Cyd")] as [RoomFacts.Gate] {
      var facts = RoomFacts()
      (facts.gates, facts.openers) = ([.conducting, notes], ["Ben"])
      #expect(Self.text(facts).contains("notes gate"))
      let text = Self.text(facts.withoutNotesGates)
      #expect(text.contains("rhythm gate is closed: you may not conduct; Ben can open it"), "\(text)")
      #expect(!text.contains("notes gate"), "\(text)")
    }
  }

  @Test("while another member conducts, that member is named, and can be asked for the baton")
  func conducted() throws {
    var orchestra = VirtualOrchestra.room(3)
    #expect(Self.facts(orchestra, 1).mayLead)
    try orchestra.start(0)
    orchestra.pass(2)
    #expect(Self.facts(orchestra, 0).mayLead && Self.facts(orchestra, 0).isConductor)
    let facts = Self.facts(orchestra, 1)
    #expect(facts.openers == ["p1"] && facts.mayAsk && !facts.mayLead && !facts.needsBaton)
  }

  @Test("if only one installation may conduct and it is away, no hint names a command that the room refuses")
  func reserved() throws {
    let teacher = MemberID(0xBEEF)
    var orchestra = VirtualOrchestra.room(3) { index, settings in
      settings.only = teacher
      if index == 0 { settings.identity.installation = teacher }
    }
    #expect(Self.facts(orchestra, 1).openers == ["p1"] && !Self.facts(orchestra, 1).mayAsk)
    try orchestra.start(0)
    orchestra.pass(2)
    orchestra.crash(0)
    orchestra.pass(20)
    let facts = Self.facts(orchestra, 1)
    #expect(facts.position != nil && facts.conductor == nil)
    #expect(facts.isRefused && !facts.mayLead && !facts.needsBaton && facts.openers == [])
    #expect(!Self.text(facts).contains(":baton"))
    #expect(facts.wayOutOfSilence == "a member that may conduct ends it")
  }

  @Test("a member with the exclusive right to conduct may lead, whichever member conducts")
  func exclusive() throws {
    var orchestra = VirtualOrchestra.room(2)
    try orchestra.start(0)
    orchestra.pass(2)
    _ = orchestra.act(1) { core, _ in core.agreement.reserved = core.settings.identity.installation }
    let facts = Self.facts(orchestra, 1)
    #expect(facts.conductor == "p1" && facts.mayLead && facts.openers == [])
  }

  @Test("if the conductor vanishes while others are heard, the baton must be taken first, for half a minute")
  func vanished() throws {
    var orchestra = VirtualOrchestra.room(3)
    try orchestra.start(0)
    orchestra.pass(2)
    orchestra.crash(0)
    orchestra.pass(6)
    let facts = Self.facts(orchestra, 1)
    #expect(facts.cutOff == nil && facts.needsBaton && !facts.mayLead && facts.openers == [])
    #expect(Self.text(facts).contains("no conductor: :baton takes the baton"))
    #expect(facts.wayOutOfSilence == ":baton, then :unpanic ends it")
    _ = try orchestra.act(1) { core, now throws(SessionRefusal) in try core.takeBaton(now: now) }
    #expect(Self.facts(orchestra, 1).mayLead && Self.facts(orchestra, 1).isConductor)
    orchestra.pass(35)
    #expect(!Self.facts(orchestra, 2).needsBaton && Self.facts(orchestra, 2).openers == ["p2"])
  }

  @Test("a hidden conductor is no missing conductor")
  func hidden() throws {
    var orchestra = VirtualOrchestra.room(2) { index, settings in settings.isHidden = index == 1 }
    try orchestra.start(1)
    orchestra.pass(2)
    let facts = Self.facts(orchestra, 0)
    #expect(facts.conductor == "a hidden member" && facts.openers == ["a hidden member"] && facts.mayAsk)
    #expect(!Self.text(facts).contains("no conductor"))
  }

  @Test("a silence that applies to this member alone is its own to end, whichever member conducts")
  func alone() throws {
    var orchestra = VirtualOrchestra.room(2)
    try orchestra.start(0)
    orchestra.pass(2)
    _ = orchestra.act(1) { core, now in
      core.callForSilence(now: now)
      core.agreement.silence.restrictToSelf()
    }
    let facts = Self.facts(orchestra, 1)
    #expect(facts.isSilenced && facts.isSilencedAlone && facts.openers == ["p1"])
    #expect(facts.wayOutOfSilence == "a new start of the rhythm or :unpanic ends it")
    _ = try orchestra.act(1) { core, now throws(SessionRefusal) in try core.liftSilence(now: now) }
    #expect(!Self.facts(orchestra, 1).isSilenced)
  }
}
