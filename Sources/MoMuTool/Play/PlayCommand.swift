import ArgumentParser
import MoConsole
import MoOrchestra

/// `momu play`: any instrument of the catalogue, in the terminal.
struct PlayCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "play", abstract: "Play an instrument: by keys, movement, notes, or over the network.",
    discussion: """
      The terminal shows its parameters; the keys a w s e d f t g y h u j k are a piano's, space strikes, arrows choose \
      and change a parameter. Programs on the network play it at /momu/INSTRUMENT/note and set it at \
      /momu/INSTRUMENT/PARAMETER. With --room it is played together with those in the room who play the same: a key on \
      one sounds on all, on the nearest sixteenth while the room's rhythm runs; Enter starts that. Ctrl-C ends it.
      """)

  @Argument(help: ArgumentHelp("Which: momu instruments shows them.", valueName: "INSTRUMENT"))
  var instrument: String

  @OptionGroup var playing: PlayArguments
  @OptionGroup var common: CommonOptions

  func validate() throws {
    try playing.validate(with: common)
    try playing.validate(for: instrument)
  }

  func run() throws {
    // One that can be shared: in a room all drum machines play one pattern.
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
