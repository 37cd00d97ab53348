import ArgumentParser
import MoConsole
import MoCore
import MoOrchestra

/// `momu session replay`: what was in a session, told, played back, or rendered.
struct SessionReplayCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "replay", abstract: "Tell what is on a session's tape, or play it on an instrument.",
    discussion: """
      Without an instrument it says who played what, and how the rhythm went. With one, what was heard is played on it: \
      at its own pace, or with --offline --audio wav:FILE into a file, the same bytes each time. A tape is made by \
      momu session --record FILE.
      """)

  @Flag(help: "Print every entry, a line each.")
  var list = false

  @Option(help: ArgumentHelp("Only what one of them played, by name.", valueName: "NAME"))
  var player: String?

  @Option(
    help: ArgumentHelp("Set a parameter first; may be repeated.", valueName: "NAME=VALUE"),
    transform: readSetting)
  var set: [PlaySetting] = []

  @OptionGroup var common: CommonOptions

  @Argument(help: ArgumentHelp("The tape.", valueName: "FILE"))
  var file: String

  @Argument(help: ArgumentHelp("What plays it: momu instruments shows them.", valueName: "INSTRUMENT"))
  var instrument: String?

  func validate() throws {
    guard instrument == nil else {
      if list { throw ValidationError("--list prints and does not play: leave it or the instrument out") }
      return
    }
    if common.offline || common.audio != nil {
      throw ValidationError(
        "to play the tape an instrument is wanted: momu session replay FILE tone --offline --audio wav:FILE")
    }
    if !set.isEmpty || player != nil {
      throw ValidationError("--set and --player are for playing: name an instrument, such as tone")
    }
  }

  func run() throws {
    if list { return try printList() }
    let tape = try SessionTapeReader(path: file)
    let tale = RecordingSummary(tape, complaint: complain)
    guard let instrument else {
      show(tale.text(path: file, start: tape.startNanosecondsSince1970, madeBy: tape.madeBy))
      return
    }
    if let player, tale.players[player] == nil {
      throw ReplayError.nobody(player, there: tale.players.keys.sorted())
    }
    try play(on: instrument, tale)
  }

  private func printList() throws {
    let tape = try SessionTapeReader(path: file)
    var line = TapeLine()
    while let entry = try tape.next() {
      guard show(line.text(entry) + "\n") else { return }
    }
    if let warning = tape.warning { complain(warning) }
  }

  private func play(on instrument: String, _ tale: RecordingSummary) throws {
    let board = instrument == "drum-machine" ? DrumBoard(Self.layout(in: tale)) : nil
    let entry =
      try board.map { board in InstrumentFactory(DrumMachine.self) { DrumMachine(board, seed: $0) } }
      ?? Instruments.named(instrument)
    var options = PlayOptions()
    options.settings = set
    for remark in try options.remarks(on: entry) { complain(remark) }
    let tape = try SessionTapeReader(path: file)
    let words = ["momu session replay"] + common.arguments
    MoApp.run("Plays a session's tape.", arguments: words) { [options] in
      let run = Run.current
      // Rendered twice a tape is the same, whether or not somebody named a seed.
      if run.isOffline, !run.options.given.contains("seed") { SeedSource.set(1) }
      let shown = LatestValue(BeatClock(clock: SlewedClock(), timeline: nil))
      let handle = try entry.play()
      for setting in options.settings { try handle.set(setting.name, to: setting.value) }
      try MoAudio.follow { shown.load() }
      if !run.options.quiet { InstrumentConsole.open(handle) }
      // In real time the first sound waits until everything runs.
      let start = run.isOffline ? HostTime.zero : run.clock.now + .milliseconds(200)
      let hands = RecordingPlayer(handle, board: board, shown: shown, start: start, only: player)
      // Nobody waits for a rendered file to fade away.
      let end = run.isOffline ? nil : start.advanced(bySeconds: tale.length + Self.tail)
      let source = try SessionTapeSource(tape, hands: hands, start: start, end: end)
      try run.input.add(hands.releases) { _ in }
      // What is wrong with the tape was told when it was looked through.
      try run.input.add(source) { _ in if end != nil { StopWait.end() } }
    }
  }

  /// Seconds for which it is waited after the last sound has begun.
  private static let tail = 2.0

  /// The size of the drum machine that was shared; the largest, where there were several.
  static func layout(in tale: RecordingSummary) -> DrumLayout {
    tale.things.keys.sorted().compactMap(SharedDrums.layout).max { $0.count < $1.count } ?? .standard
  }
}
