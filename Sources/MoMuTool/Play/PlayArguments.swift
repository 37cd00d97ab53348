import ArgumentParser
import MoInstruments

/// The options with which an instrument is played, beside those of every program.
struct PlayArguments: ParsableArguments {
  @Option(help: ArgumentHelp("Notes to play, one beat each: \"C4 E4 C4+E4+G4 - F#3\".", valueName: "NOTES"))
  var notes: String?

  @Option(
    help: ArgumentHelp(
      "Beats a minute of the notes and of a rhythm, which runs if it is given, or if the instrument needs one.",
      valueName: "BPM"),
    transform: readTempo)
  var tempo: Double?

  @Option(
    help: ArgumentHelp("Set a parameter first; may be repeated.", valueName: "NAME=VALUE"),
    transform: readSetting)
  var set: [PlaySetting] = []

  @Option(
    help: ArgumentHelp("Move it as a recorded tape says: short for --accel tape:FILE.", valueName: "FILE"))
  var tape: String?

  @Option(
    help: ArgumentHelp("How movement reaches it; read again whenever it is saved.", valueName: "FILE"))
  var mapping: String?

  /// Refuses what contradicts itself.
  func validate(with common: CommonOptions) throws {
    if tape != nil, common.accel != nil { throw ValidationError("\(PlayError.tapeAndAccel)") }
  }

  /// Held against an instrument; what is out of range is said.
  ///
  /// - Throws: `InstrumentError`.
  func options(for entry: InstrumentEntry) throws -> PlayOptions {
    var options = PlayOptions()
    options.notes = try notes.map { (text) throws in try NoteText(text) }
    options.tempo = tempo
    options.settings = set
    options.mapping = mapping
    for remark in try options.remarks(on: entry) { complain(remark) }
    return options
  }

  /// A program's command line, with the options of every program.
  func arguments(_ program: String, _ common: CommonOptions) -> [String] {
    [program] + common.arguments + (tape.map { ["--accel=tape:\($0)"] } ?? [])
  }
}

/// Reads a parameter and its value as typed.
@Sendable
func readSetting(_ text: String) throws -> PlaySetting {
  do { return try PlaySetting(text) } catch { throw ValidationError("\(error)") }
}
