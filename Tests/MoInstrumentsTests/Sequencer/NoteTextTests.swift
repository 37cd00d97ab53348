import MoInstruments
import Testing

@Suite("Notes as text")
struct NoteTextTests {
  @Test(
    "note names give MIDI note numbers",
    arguments: [
      ("C4", 60), ("A4", 69), ("c4", 60), ("F#3", 54), ("Bb5", 82), ("C-1", 0), ("G9", 127), ("B3", 59),
      ("Cb4", 59),
      ("b#3", 60), ("60.5", 60.5), ("0", 0),
    ] as [(String, Float)])
  func names(name: String, pitch: Float) { #expect(NoteText.pitch(name) == pitch) }

  @Test(
    "text that is not a note is refused",
    arguments: ["H4", "C", "C10", "A9", "128", "200", "-1", "", "C4x", "##", "nan", "inf"])
  func none(name: String) { #expect(NoteText.pitch(name) == nil) }

  @Test("a generated name parses to the same note", arguments: 0...127)
  func back(note: Int) { #expect(NoteText.pitch(NoteText.name(Float(note))) == Float(note)) }

  @Test(
    "the name of a pitch outside 0 to 127 is the name of the nearest note",
    arguments: [
      (-.infinity, "C-1"), (.infinity, "G9"), (.nan, "C-1"), (1e30, "G9"), (-1e30, "C-1"), (200, "G9"),
    ]
      as [(Float, String)])
  func outside(pitch: Float, name: String) { #expect(NoteText.name(pitch) == name) }

  @Test("parses beats, chords and rests")
  func beats() throws {
    #expect(try NoteText("C4 E4 G4").beats == [[60], [64], [67]])
    #expect(try NoteText("C4+E4+G4 - | 72").beats == [[60, 64, 67], [], [72]])
    #expect(try NoteText("C4\tE4\nG4\r\n72").beats == [[60], [64], [67], [72]])
  }

  @Test("an error names the word that cannot be parsed, and says what to write")
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
    "a misspelled name suggests the right one",
    arguments: [("tne", "tone"), ("TONE", "tone"), ("to", "tone"), ("tones", "tone"), ("xylophone", nil)]
      as [(String, String?)])
  func spelling(typed: String, meant: String?) throws {
    guard typed != "tone" else { return }
    let error = #expect(throws: InstrumentError.self) { try Instruments.named(typed) }
    let text =
      meant.map {
        "there is no instrument \"\(typed)\": did you mean \"\($0)\"? (momu instruments lists all)"
      }
      ?? "there is no instrument \"\(typed)\": momu instruments lists all"
    #expect(error?.description == text)
  }
}
