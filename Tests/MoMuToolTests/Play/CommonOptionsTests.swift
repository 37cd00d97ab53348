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
}
