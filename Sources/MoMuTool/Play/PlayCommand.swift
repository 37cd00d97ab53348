import ArgumentParser
import MoInstruments
import MoOrchestra

/// `momu play`: any instrument of the catalogue, in the terminal.
struct PlayCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "play", abstract: "Play an instrument: by keys, movement, notes, or over the network.",
    discussion: """
      The terminal shows its parameters; the keys a w s e d f t g y h u j k are a piano's, space strikes, arrows choose \
      and change a parameter. Programs on the network play it at /momu/INSTRUMENT/note and set it at \
      /momu/INSTRUMENT/PARAMETER. With --room it plays in the rhythm of those who are in the room. Ctrl-C ends it.
      """)

  @Argument(help: ArgumentHelp("Which: momu instruments shows them.", valueName: "INSTRUMENT"))
  var instrument: String

  @Option(help: ArgumentHelp("Notes to play, one beat each: \"C4 E4 C4+E4+G4 - F#3\".", valueName: "NOTES"))
  var notes: String?

  @Option(
    help: ArgumentHelp(
      "Beats a minute of the notes and of a rhythm, which runs if it is given, or if the instrument needs one; not in a room.",
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
    transform: Setting.init)
  var set: [Setting] = []

  @Option(
    help: ArgumentHelp("Move it as a recorded tape says: short for --accel tape:FILE.", valueName: "FILE"))
  var tape: String?

  @Option(
    help: ArgumentHelp("How movement reaches it; read again whenever it is saved.", valueName: "FILE"))
  var mapping: String?

  @Option(help: ArgumentHelp("Recorded sounds in place of the piano's own.", valueName: "FILE"))
  var soundfont: String?

  @Option(help: ArgumentHelp("Join a room, and follow its rhythm.", valueName: "NAME"))
  var room: String?

  @Option(help: ArgumentHelp("What others in the room see you as.", valueName: "NAME"))
  var name: String?

  @OptionGroup var common: CommonOptions

  func validate() throws {
    if soundfont != nil, instrument != "piano" {
      throw ValidationError("--soundfont FILE plays in the piano's place: momu play piano --soundfont FILE")
    }
    if name != nil, room == nil {
      throw ValidationError("--name NAME is for a room: give --room NAME, too")
    }
    if tape != nil, common.accel != nil {
      throw ValidationError("--tape FILE means --accel tape:FILE: give one of them")
    }
  }

  func run() throws {
    let entry = try soundfont == nil ? Instruments.named(instrument) : InstrumentEntry(SoundFont.self)
    let score = try notes.map { (text) throws in try NoteText(text) }
    for setting in set {
      if let remark = try setting.remark(for: entry) { complain(remark) }
    }
    var arguments = ["momu play \(instrument)"] + common.arguments
    if let tape { arguments.append("--accel=tape:\(tape)") }
    for (flag, value) in [("--grid", grid), ("--room", room), ("--name", name)] {
      if let value { arguments.append("\(flag)=\(value)") }
    }
    MoApp.run(entry.sheet.summary, arguments: arguments) {
      try play(entry, score)
    }
  }

  private func play(_ entry: InstrumentEntry, _ score: NoteText?) throws {
    let run = Run.current
    let handle = try soundfont.map { try MoAudio.play(SoundFont(path: $0), as: instrument) } ?? entry.play()
    for setting in set { try handle.set(setting.name, to: setting.value) }
    if let mapping {
      let file = try MappingFile(mapping, for: handle, at: run.clock.now)
      if !run.isOffline { try run.input.add(file) { _ in } }
    }
    try openNet(handle)
    if isMoved { try handle.followMotion() }
    if !common.quiet { InstrumentDesk.open(handle) }
    // In real time the first note waits until everything runs.
    let start = run.isOffline ? HostTime.zero : run.clock.now + .milliseconds(100)
    if run.options.given.contains("room") {
      try MoSession.join()
      try MoAudio.follow { MoSession.beat }
    } else if let tempo = Self.rhythm(tempo, for: entry) {
      let beat = BeatClock.steady(tempo: tempo, from: start)
      try MoAudio.follow { beat }
    }
    guard let score else { return }
    let lead = Duration.milliseconds(run.isOffline ? 0 : 50)
    try run.input.add(NoteScore(score, on: handle, tempo: tempo ?? 120, from: start, lead: lead)) { _ in }
  }

  /// Whether movement was named; without it the keys are for playing.
  private var isMoved: Bool {
    // The command line, the environment and the configuration file.
    Run.current.options.accel != nil
  }

  /// The rhythm's beats a minute; nil for none.
  ///
  /// What plays by the rhythm alone gets one of 120 where none is given.
  static func rhythm(_ tempo: Double?, for entry: InstrumentEntry) -> Double? {
    let needsOne = entry.sheet.grid != nil && !entry.parameters.contains { $0.name == "tempo" }
    return tempo ?? (needsOne ? 120 : nil)
  }

  /// A port that is taken is no reason not to play, unless it was asked for.
  private func openNet(_ handle: InstrumentHandle) throws {
    if common.offline, common.net == nil { return }
    do {
      try MoNet.listen()
    } catch NetError.portTaken(let port, let program) where common.net == nil {
      MoLog.log(
        .notice,
        "port \(port) is taken by \(program ?? "another program"): playing without the network; "
          + "another port: --net udp:\(NetError.portBeside(port))")
      return
    }
    InstrumentNet.open(handle)
  }
}
