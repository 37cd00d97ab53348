import MoConsole
import Testing

@Suite("The options for playing an instrument")
struct PlayOptionsTests {
  @Test("a program reads them in both spellings, and leaves the options of every program in the command line")
  func all() throws {
    var words = [
      "--notes", "C4 E4", "--tempo=90", "--quiet", "--set", "brightness=0.8", "--set=softness=0.1",
      "--mapping", "a.map", "--tape", "a.osc", "--seconds", "3",
    ]
    let options = try PlayOptions(taking: &words)
    #expect(words == ["--quiet", "--accel=tape:a.osc", "--seconds", "3"])
    #expect(options.notes != nil && options.tempo == 90 && options.mapping == "a.map")
    #expect(options.settings.map(\.name) == ["brightness", "softness"])
  }

  static let wrong: [(words: [String], text: String)] = [
    (["--tempo", "5"], "--tempo is \"5\", but must be 20 to 999 beats per minute"),
    (["--set=loud"], "--set is \"loud\", but must be NAME=NUMBER, such as brightness=0.8"),
    (["--mapping"], "--mapping needs a value: --mapping FILE"),
    (["--notes="], "--notes needs a value: --notes NOTES"),
    (
      ["--notes", "200"],
      "cannot read \"200\" in the notes \"200\": write notes such as C4, F#3 or Bb5, chords as C4+E4+G4, and - for a "
        + "rest"
    ),
    (
      ["--tape", "a.osc", "--accel", "keys"],
      "--tape FILE is short for --accel tape:FILE: type only one of them"
    ),
  ]

  @Test("a wrong value is an error that names the option", arguments: wrong)
  func mistakes(words: [String], text: String) {
    var words = words
    let error = #expect(throws: (any Error).self) { try PlayOptions(taking: &words) }
    #expect(error.map { "\($0)" } == text)
  }
}
