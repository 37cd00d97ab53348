import Glibc
import MoCore
import MoDSP
import MoInstruments
import MoTesting
import Testing

@Suite("Mapping text")
struct MappingTextTests {
  @Test("parses a rule with all its options")
  func whole() throws {
    let mapping = try Mapping(
      """
      # hold it level for A

      tilt-roll -45..45 -> note A3..A5 in minor-pentatonic A3 hold 0.3   # notes
      activity 0.05..0.8 -> brightness 1..0 curve 2 smooth 0.1 dead 0.02
      activity -> gate above 0.2 below 0.1
      """)
    var note = Mapping.Rule(.tiltRoll, to: .note)
    note.from = .init(-45, 45)
    note.to = .init(57, 81)
    note.scale = .minorPentatonic(root: 57)
    note.hold = 0.3
    var bright = Mapping.Rule(.activity, to: .parameter("brightness"))
    bright.from = .init(0.05, 0.8)
    bright.to = .init(1, 0)
    (bright.curve, bright.smooth, bright.dead) = (2, 0.1, 0.02)
    var gate = Mapping.Rule(.activity, to: .gate)
    (gate.above, gate.below) = (0.2, 0.1)
    #expect(mapping == Mapping([note, bright, gate]))
  }

  @Test(
    "an error names the line, the problem and a remedy",
    arguments: [
      (
        "activity brightness",
        "line 1: the rule needs a source, ->, and a target: write it as \"activity -> brightness\""
      ),
      (
        "\n\njerk ->",
        "line 3: the rule needs a source, ->, and a target: write it as \"activity -> brightness\""
      ),
      ("tilt-rol -> note", "line 1: unknown source \"tilt-rol\": did you mean \"tilt-roll\"?"),
      (
        "wind -> note",
        "line 1: unknown source \"wind\": use tilt-roll, tilt-pitch, x, y, z, activity, energy, jerk, tap, shake, cc0 to cc119 of MIDI"
      ),
      ("jerk -> brightnes", "line 1: unknown parameter \"brightnes\": did you mean \"brightness\"?"),
      (
        "# a\njerk -> colour",
        "line 2: unknown parameter \"colour\": use brightness, loudness, note, strike, gate, bend"
      ),
      ("activity 0-1 -> loudness", "line 1: \"0-1\" is not a range: write two numbers as 0..1 or -45..45"),
      (
        "activity 1..1 -> loudness",
        "line 1: the ends of \"1..1\" are equal: write two different numbers as 0..1 or -45..45"
      ),
      ("activity 0..x -> loudness", "line 1: \"0..x\" is not a range: write two numbers as 0..1 or -45..45"),
      ("x -> note in minr A3", "line 1: unknown scale \"minr\": did you mean \"minor\"?"),
      ("x -> loudness in minor", "line 1: only pitches have a scale: write it after \"-> note\""),
      ("x -> loudness curve", "line 1: curve needs a number after it, such as curve 0.1"),
      (
        "x -> loudness smooth soft",
        "line 1: smooth needs a number after it, such as smooth 0.1, not \"soft\""
      ),
      (
        "x -> loudness softly",
        "line 1: unknown word \"softly\": after the target, write a range, in SCALE ROOT, curve, smooth, dead, "
          + "hold, above or below"
      ),
      (
        "activity -> gate above 0.1 below 0.2",
        "line 1: above is 0.1 and below is 0.2: above must be greater than below"
      ),
    ])
  func errors(text: String, says: String) {
    let error = #expect(throws: MappingError.self) {
      try Mapping(text, parameters: ["brightness", "loudness"])
    }
    #expect(error?.description == says)
  }

  @Test("an error names a missing file")
  func noFile() {
    let error = #expect(throws: MappingError.self) { try Mapping(file: "/nowhere/a.mapping") }
    #expect(error?.description == "cannot read the mapping /nowhere/a.mapping: No such file or directory")
  }

  @Test("an error names a folder in place of a file")
  func folder() {
    let error = #expect(throws: MappingError.self) { try Mapping(file: "/tmp") }
    #expect(error?.description == "cannot read the mapping /tmp: Is a directory")
  }

  @Test("a rule after 20 KB of comments applies, and an empty file is a mapping without rules")
  func longFile() throws {
    let folder = Scratch()
    let path = folder.file("long.mapping")
    let file = try #require(fopen(path, "w"))
    for _ in 0..<500 { fputs("# this comment has forty characters.....\n", file) }
    fputs("x -> loudness\n", file)
    fclose(file)
    #expect(try Mapping(file: path).rules.count == 1)
    truncate(path, 0)
    #expect(try Mapping(file: path).rules.isEmpty)
  }

  @Test("parses or refuses any text without crashing")
  func anything() {
    let words = [
      "activity", "->", "note", "in", "minor", "A3", "0..1", "..", "-", "curve", "above", "nan", "inf",
      "1e99", "#",
      "\n", "é", "->->", "-1..-1", "below", "gate", "strike", "dead", "hold", "\t", "\0",
    ]
    var noise = Noise(seed: 8)
    for _ in 0..<5000 {
      let text = (0..<8).map { _ in words[Int(abs(noise.tick()) * 25.99)] }.joined(separator: " ")
      _ = try? Mapping(text)
    }
  }
}
