import MoCore
import Testing

@Suite("The name that was probably meant")
struct SpellingTests {
  @Test(
    "is the nearest within a third of its letters, whatever its case",
    arguments: [
      ("Adda", "Ada"), ("ada", "Ada"), ("STINGS", "strings"), ("str", "strings"), ("Günter", "Günther"),
      ("paly", "play"), ("Aad", "Ada"),
    ])
  func found(typed: String, meant: String) {
    #expect(Spelling.nearest(to: typed, among: ["Bo", "Ada", "play", "strings", "Günther"]) == meant)
  }

  @Test("is nil if no name is near", arguments: ["Zoe", "", "s", "percussion"])
  func none(typed: String) {
    #expect(Spelling.nearest(to: typed, among: ["Bo", "Ada", "strings"]) == nil)
  }
}
