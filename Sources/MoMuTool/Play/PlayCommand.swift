import ArgumentParser
import MoConsole
import MoInstruments
import MoOrchestra

/// `momu play`: plays an instrument of the catalogue in the terminal.
struct PlayCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "play", abstract: "Play an instrument by keys, movement, notes or OSC.",
    discussion: """
      The terminal shows the parameters. The keys a w s e d f t g y h u j k play notes like a piano's keys. Space \
      strikes. The arrow keys choose and change a parameter. Programs on the network play notes at \
      /momu/INSTRUMENT/note and set parameters at /momu/INSTRUMENT/PARAMETER. With --room, all members that play \
      the same instrument play together: a key on one machine sounds on all. Enter starts the room's rhythm. While \
      it runs, notes sound on the nearest sixteenth. Ctrl-C ends the program.
      """)

  @Argument(help: ArgumentHelp("The instrument; momu instruments lists them.", valueName: "INSTRUMENT"))
  var instrument: String

  @OptionGroup var playing: PlayArguments
  @OptionGroup var common: CommonOptions

  func validate() throws {
    try playing.validate(with: common)
    try playing.validate(for: instrument)
  }

  func run() throws {
    // A board that can be shared: in a room, all drum machines play the same pattern.
    let board = instrument == "drum-machine" ? DrumMachine.simpleBoard() : nil
    let entry =
      try board.map { board in InstrumentFactory(DrumMachine.self) { DrumMachine(board, seed: $0) } }
      ?? playing.entry(named: instrument)
    let options = try playing.options(for: entry)
    MoApp.run(entry.sheet.summary, arguments: playing.arguments("momu play \(instrument)", common)) {
      _ = try Performance(of: entry, options, in: playing.playRoom)
      if MoSession.room != nil { try board?.share() }
    }
  }
}

/// `momu instruments`: lists the instruments and their parameters.
struct InstrumentsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "instruments", abstract: "List the instruments, or show one with its parameters.")

  @Argument(help: ArgumentHelp("The instrument to show.", valueName: "INSTRUMENT"))
  var instrument: String?

  func run() throws {
    guard let instrument else {
      _ = show(Self.list(Instruments.all))
      return
    }
    show(try Instruments.named(instrument).page)
  }

  /// Returns a line for each instrument, with its name and summary.
  static func list(_ entries: [InstrumentFactory]) -> String {
    let width = entries.map(\.sheet.name.count).max() ?? 0
    return entries.map { "\($0.sheet.name.padded(to: width))  \($0.sheet.summary)\n" }.joined()
  }
}
