import MoConsole
import MoOrchestra
import Testing

@Suite("A room with one member")
struct LonelinessTests {
  @Test("gives the reason if it is known, and suggests another room only if its name is similar")
  func lonely() {
    #expect(
      AloneNotice.text("Labb", others: ["Lab", "Stage"])
        == "no other member is in the room Labb yet: you play alone; did you mean the room Lab? --room Lab"
    )
    #expect(
      AloneNotice.text("Kitchen", others: ["Lab"])
        == "no other member is in the room Kitchen yet: you play alone")
    #expect(
      AloneNotice.text("Labb", others: ["Lab"], problem: "this machine has no network address")
        == "no other member is in the room Labb yet: this machine has no network address; "
        + "did you mean the room Lab? --room Lab")
    // Different capitals are another room.
    #expect(AloneNotice.similar(to: "lab", among: ["Lab", "Stage"]) == "Lab")
    #expect(AloneNotice.similar(to: "Lab", among: ["Lab"]) == nil)
  }
}
