import MoInstruments
import Testing

@Suite("Notes as text")
struct NoteTextTests {
  @Test(
    "names are MIDI's",
    arguments: [
      ("C4", 60), ("A4", 69), ("c4", 60), ("F#3", 54), ("Bb5", 82), ("C-1", 0), ("G9", 127), ("B3", 59),
      ("Cb4", 59),
      ("b#3", 60), ("60.5", 60.5), ("0", 0),
    ] as [(String, Float)])
  func names(name: String, pitch: Float) { #expect(NoteText.pitch(name) == pitch) }

  @Test(
    "what is no note is none",
    arguments: ["H4", "C", "C10", "A9", "128", "200", "-1", "", "C4x", "##", "nan", "inf"])
  func none(name: String) { #expect(NoteText.pitch(name) == nil) }

  @Test("a name that is given is read again", arguments: 0...127)
  func back(note: Int) { #expect(NoteText.pitch(NoteText.name(Float(note))) == Float(note)) }

  @Test("beats, chords and rests")
  func beats() throws {
    #expect(try NoteText("C4 E4 G4").beats == [[60], [64], [67]])
    #expect(try NoteText("C4+E4+G4 - | 72").beats == [[60, 64, 67], [], [72]])
  }

  @Test("a word that cannot be read is named, with what to write")
  func errors() {
    let error = #expect(throws: InstrumentError.self) { try NoteText("C4 H4 G4") }
    #expect(
      error?.description
        == "cannot read \"H4\" in the notes \"C4 H4 G4\": write notes such as C4, F#3 or Bb5, chords as C4+E4+G4, and - for a rest"
    )
    #expect(throws: InstrumentError.self) { try NoteText("") }
    #expect(throws: InstrumentError.self) { try NoteText("200") }
    #expect(throws: InstrumentError.self) { try NoteText("C4+") }
  }

  @Test(
    "a name that is nearly one is understood",
    arguments: [("tne", "tone"), ("TONE", "tone"), ("to", "tone"), ("tones", "tone"), ("xylophone", nil)]
      as [(String, String?)])
  func spelling(typed: String, meant: String?) throws {
    guard typed != "tone" else { return }
    let error = #expect(throws: InstrumentError.self) { try Instruments.named(typed) }
    let text =
      meant.map {
        "there is no instrument \"\(typed)\": did you mean \"\($0)\"? (momu instruments shows all)"
      }
      ?? "there is no instrument \"\(typed)\": momu instruments shows those there are"
    #expect(error?.description == text)
  }
}
