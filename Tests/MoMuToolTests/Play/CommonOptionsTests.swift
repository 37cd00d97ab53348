import MoConsole
import MoRuntime
import Testing

@testable import MoMuTool

@Suite("The options that momu play and every program have")
struct CommonOptionsTests {
  /// The names of the options of every program that `momu play` passes on.
  ///
  /// `momu play` has a `--help` of its own, and gives the SoundFont to the instrument.
  static let passedOn = RunOption.table.map(\.name).filter { $0 != "help" && $0 != "soundfont" }

  /// Returns the arguments with which `momu play piano` and these options start the program.
  private func arguments(_ options: [String]) throws -> [String] {
    let command = try PlayCommand.parse(Momu.separated(["piano"] + options))
    return command.playing.arguments("momu play piano", command.common)
  }

  @Test("momu play passes on every option of every program", arguments: passedOn)
  func every(name: String) throws {
    let option = RunOption.named(name)
    let texts = ["rate": "44100", "block": "64", "midi-clock": "lead", "view": "stage"]
    let text = texts[name] ?? "1"
    let typed = option.value == .none ? option.flag : "\(option.flag)=\(text)"
    // `--name` and `--passkey` need a room.
    let room = name == "room" ? [] : ["--room=Lab"]
    let passed = try arguments([typed] + room)
    #expect(passed.first == "momu play piano")
    #expect(Set(passed.dropFirst()) == Set([typed] + room))
  }

  static let lines: [(options: [String], passed: [String])] = [
    ([], []),
    (["--midi", "--quiet"], ["--midi=all", "--quiet"]),
    (["--midi", "nano", "--trim", "-5"], ["--midi=nano", "--trim=-5"]),
    (["--midi=nano", "--quiet"], ["--midi=nano", "--quiet"]),
    (["--tape", "a.osc", "--grid", "16"], ["--grid=16", "--accel=tape:a.osc"]),
    (["--soundfont", "a.sf2", "--notes", "C4", "--tempo", "90"], []),
  ]

  @Test("momu play passes on only options of every program that the user gave", arguments: lines)
  func given(options: [String], passed: [String]) throws {
    #expect(try arguments(options) == ["momu play piano"] + passed)
  }

  @Test("the trim of momu midi gestures may be negative")
  func negative() throws {
    #expect(try MIDIGesturesCommand.parse(["--midi-trim", "-5"]).sharedArguments == ["--midi-trim=-5"])
  }

  @Test("momu osc send keeps words that look like options")
  func words() {
    let words = ["osc", "send", "localhost:9", "/x", "--midi=nano"]
    #expect(Momu.separated(words) == words)
  }

  @Test("every option of CommonOptions is an option of every program")
  func known() {
    let words = CommonOptions.helpMessage().split(whereSeparator: { " ,[]\n".contains($0) })
    let options = words.filter { $0.hasPrefix("--") }.map { $0.prefix { $0 == "-" || $0.isLetter } }
    for option in Set(options) {
      #expect(RunOption.table.contains { $0.flag == option }, "\(option)")
    }
  }

  /// The options of commands that mean something else than the options of programs with the same names.
  static let different = [
    "calibrate --audio", "list --seconds", "send --midi-out", "play --midi-out", "gestures --midi-out",
    "simulate --seconds",
  ]

  /// Returns a row's help text as the commands of `momu` show it.
  private func sentence(_ help: String) -> String { help.prefix(1).uppercased() + help.dropFirst() + "." }

  @Test("a command shows the help text of every program, unless the option means something else there")
  func texts() {
    var different: [String] = []
    let verbs = MomuCommand.configuration.subcommands
    for command in verbs.flatMap({ verb in [verb] + verb.configuration.subcommands }) {
      // The columns are enough for each text in one line.
      let help = command.helpMessage(includeHidden: false, columns: 1000)
      let rows = help.split(separator: "\n").filter { $0.hasPrefix("  -") }
      let words = rows.flatMap { row in row.split(whereSeparator: { " ,".contains($0) }) }.map { String($0) }
      for option in RunOption.table where option.name != "help" && words.contains(option.flag) {
        if !help.contains(sentence(option.help)) {
          different.append("\(command.configuration.commandName ?? "") \(option.flag)")
        }
      }
    }
    #expect(different == Self.different)
  }

  @Test("momu play has the options of a program that plays an instrument, with the same help texts")
  func playing() {
    let help = PlayCommand.helpMessage(includeHidden: false, columns: 1000)
    for option in PlayOption.table {
      #expect(help.contains("\(option.flag) <\(option.value)>"), "\(option.flag)")
      #expect(help.contains(sentence(option.help)), "\(option.flag)")
      #expect(PlayOptions.help.contains("  \(option.flag) \(option.value) "), "\(option.flag)")
    }
  }
}
