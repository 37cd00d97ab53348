import Testing

@testable import MoMuTool

@Suite("Finding the instrument in a file")
struct InstrumentFileTests {
  @Test(
    "finds only types that are declared as instruments",
    arguments: [
      ("struct Bell: Instrument {}", ["Bell"]),
      ("public final class Bell : Sendable, Instrument\n{}", ["Bell"]),
      (
        "struct Ring: NoteVoice {}\nstruct Bell: Instrument {}\nstruct Gong: Instrument {}", ["Bell", "Gong"]
      ),
      ("struct Bell: MoDSP.Instrument where A == B {}", ["Bell"]),
      ("// struct Bell: Instrument {}\n/* struct /* a */ Bell: Instrument {} */ struct A {}", []),
      ("let text = \"struct Bell: Instrument {}\"", []),
      (
        "let text = \"\"\"\n struct Bell: Instrument { \"a\" }\n \"\"\"\nstruct Gong: Instrument {}", ["Gong"]
      ),
      ("let text = \"a \\\" struct Bell: Instrument {}\"", []),
      ("enum Control: Int, InstrumentControl { case a }", []),
      ("struct Bell: InstrumentLike { let a: Instrument }", []),
      ("struct Bell { } struct", []),
      ("", []),
    ])
  func instruments(text: String, types: [String]) {
    #expect(InstrumentFile.instruments(SwiftWords.words(in: text)) == types)
  }
}
