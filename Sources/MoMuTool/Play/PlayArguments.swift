import ArgumentParser
import MoConsole
import MoOrchestra

/// The options with which an instrument is played, beside those of every program.
struct PlayArguments: ParsableArguments {
  // Unconditional, since notes may begin with a rest.
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Notes to play, one beat each: \"C4 E4 C4+E4+G4 - F#3\".", valueName: "NOTES"))
  var notes: String?

  @Option(
    help: ArgumentHelp(
      "Beats a minute, 120 if left out, of the notes and of a rhythm, which runs if it is given, or if the instrument needs one; not in a room.",
      valueName: "BPM"),
    transform: readTempo)
  var tempo: Double?

  @Option(
    help: ArgumentHelp(
      "Play on the grid while a rhythm runs: 16 for sixteenths, or 16,swing=0.6,strength=0.5.",
      valueName: "NOTE"))
  var grid: String?

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

  @Option(help: ArgumentHelp("Recorded sounds in place of the piano's own.", valueName: "FILE"))
  var soundfont: String?

  @Option(
    help: ArgumentHelp(
      "Join a room, and play the same together with those there, on its rhythm.", valueName: "NAME"))
  var room: String?

  @Option(help: ArgumentHelp("What the room is locked with.", valueName: "KEY"))
  var passkey: String?

  @Option(help: ArgumentHelp("What others in the room see you as.", valueName: "NAME"))
  var name: String?

  /// Refuses what contradicts itself.
  func validate(with common: CommonOptions) throws {
    if tape != nil, common.accel != nil { throw ValidationError("\(PlayError.tapeAndAccel)") }
    if name != nil, room == nil {
      throw ValidationError("--name NAME is for a room: give --room NAME, too")
    }
    if passkey != nil, room == nil {
      throw ValidationError("--passkey KEY is for a room: give --room NAME, too")
    }
  }

  /// Refuses what is for another instrument.
  func validate(for instrument: String) throws {
    guard soundfont != nil, instrument != "piano" else { return }
    throw ValidationError("--soundfont FILE plays in the piano's place: momu play piano --soundfont FILE")
  }

  /// The instrument of a name; a SoundFont where one is to play in its place.
  ///
  /// - Throws: `InstrumentError.unknown`.
  func entry(named name: String) throws -> InstrumentFactory {
    try soundfont == nil ? Instruments.named(name) : InstrumentFactory(SoundFont.self)
  }

  /// The room that is named; to be asked while the program runs.
  var playRoom: PlayRoom? { .named(saying: tempo == nil ? nil : PlayRoom.tempoRemark) }

  /// Held against an instrument; what is out of range is said.
  ///
  /// - Throws: `InstrumentError`.
  func options(for entry: InstrumentFactory) throws -> PlayOptions {
    var options = PlayOptions()
    options.notes = try notes.map { (text) throws in try NoteText(text) }
    options.tempo = tempo
    options.settings = set
    options.mapping = mapping
    options.soundfont = soundfont
    for remark in try options.remarks(on: entry) { complain(remark) }
    return options
  }

  /// A program's command line, with the options of every program.
  func arguments(_ program: String, _ common: CommonOptions) -> [String] {
    let own = [
      ("--grid", grid), ("--room", room), ("--passkey", passkey), ("--name", name),
      ("--accel", tape.map { "tape:\($0)" }),
    ]
    return [program] + common.arguments + own.compactMap { flag, value in value.map { "\(flag)=\($0)" } }
  }
}

/// Reads a parameter and its value as typed.
@Sendable
func readSetting(_ text: String) throws -> PlaySetting {
  do { return try PlaySetting(text) } catch { throw ValidationError("\(error)") }
}
