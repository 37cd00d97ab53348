import Testing

@testable import MoConsole
@testable import MoOrchestra

@Suite("A room with one member")
struct LonelinessTests {
  @Test("suggests another room only if its name is similar; a new room is fine")
  func lonely() {
    #expect(
      AloneNotice.text("Labb", others: ["Lab", "Stage"])
        == "nobody else is in the room Labb yet: this one plays on alone; did you mean the room Lab? --room Lab"
    )
    #expect(
      AloneNotice.text("Kitchen", others: ["Lab"])
        == "nobody else is in the room Kitchen yet: this one plays on alone")
  }
}
