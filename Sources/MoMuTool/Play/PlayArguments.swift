import ArgumentParser
import MoConsole
import MoMu
import MoOrchestra

/// The options of `momu play` and `momu run` that are not in `CommonOptions`.
struct PlayArguments: ParsableArguments {
  // Unconditional, since notes may begin with a rest, `-`.
  @Option(parsing: .unconditional, help: .playing("notes")) var notes: String?
  @Option(help: .playing("tempo"), transform: readTempo) var tempo: Tempo?
  @Option(help: .shared("grid")) var grid: String?
  @Option(help: .playing("set"), transform: readSetting) var set: [PlaySetting] = []
  @Option(help: .playing("tape")) var tape: String?
  @Option(help: .playing("mapping")) var mapping: String?
  @Option(help: .shared("soundfont")) var soundfont: String?
  @Option(help: .shared("room")) var room: String?
  @Option(help: .shared("passkey")) var passkey: String?
  @Option(help: .shared("name")) var name: String?
  @Option(help: .shared("conductor-only")) var conductorOnly: String?
  @Option(help: .shared("view")) var view: String?

  func validate() throws { try checkSharedArguments() }

  /// Throws an error for options that contradict each other, or that need another option.
  ///
  /// For example, `--name` needs `--room` or the variable `MOMU_ROOM`.
  func validate(with common: CommonOptions) throws {
    if tape != nil, common.accel != nil { throw ValidationError("\(PlayError.tapeAndAccel)") }
    let hasRoom = room != nil || Run.environment()["MOMU_ROOM"]?.isEmpty == false
    if name != nil, !hasRoom {
      throw ValidationError("--name NAME needs a room: add --room NAME")
    }
    if passkey != nil, !hasRoom {
      throw ValidationError("--passkey KEY needs a room: add --room NAME")
    }
  }

  /// Throws an error if `--soundfont` is given and the instrument is not the piano.
  func validate(for instrument: String) throws {
    guard soundfont != nil, instrument != "piano" else { return }
    throw ValidationError(
      "--soundfont FILE replaces the piano's sound: type momu play piano --soundfont FILE")
  }

  /// Returns the instrument with a name or, with `--soundfont`, the instrument that plays a SoundFont.
  ///
  /// - Throws: `InstrumentError.unknown`.
  func entry(named name: String) throws -> InstrumentFactory {
    try soundfont == nil ? Instruments.named(name) : InstrumentFactory(SoundFont.self)
  }

  /// The connection to the room that `--room` or `MOMU_ROOM` names; nil if neither names a room.
  ///
  /// The value is valid only while the program runs.
  var playRoom: PlayRoom? { .named(saying: tempo == nil ? nil : PlayRoom.tempoRemark) }

  /// Returns the options for playing an instrument; prints a remark about each parameter value that is out of range.
  ///
  /// - Throws: `InstrumentError`.
  func options(for entry: InstrumentFactory) throws -> PlayOptions {
    var options = PlayOptions()
    options.notes = try notes.map { (text) throws in try NoteText(text) }
    options.tempo = tempo
    options.settings = set
    options.mapping = mapping
    options.soundfont = soundfont
    for remark in try options.remarks(on: entry) { printDiagnostic(remark) }
    return options
  }

  /// Returns the command line with which the program runs: its name, the common options, and options such as `--room`.
  func arguments(_ program: String, _ common: CommonOptions) -> [String] {
    var own = self
    // `options(for:)` passes the SoundFont to the instrument.
    own.soundfont = nil
    let movement = tape.map { ["--accel=tape:\($0)"] } ?? []
    return [program] + common.arguments + own.sharedArguments + movement
  }
}

/// Parses the setting of a parameter, such as `brightness=0.8`.
@Sendable
func readSetting(_ text: String) throws -> PlaySetting {
  do { return try PlaySetting(text) } catch { throw ValidationError("\(error)") }
}
