import ArgumentParser
import Glibc
import MoConsole
import MoCore
import MoOrchestra

/// `momu session replay`: summarises, plays back or renders a recorded session.
struct SessionReplayCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "replay", abstract: "Summarise a session's tape, or play it.",
    discussion: """
      Prints a summary: the players, their parts, and the rhythm. With --play, --audio or --offline it plays the tape, each \
      part on its own instrument. If you name an instrument, that one plays all parts. --offline --audio wav:FILE renders \
      into a file, with the same bytes each time. Ends with status 1 if nothing on the tape can be played, or if the result \
      is silent. momu session --record FILE makes a tape.
      """)

  @Flag(help: "Play each part on its own instrument.")
  var play = false

  @Flag(help: "Print every entry, a line each.")
  var list = false

  @Option(help: ArgumentHelp("Only the events of this player.", valueName: "NAME"))
  var player: String?

  @Option(help: .playing("set"), transform: readSetting) var set: [PlaySetting] = []

  @OptionGroup var common: CommonOptions

  @Argument(help: ArgumentHelp("The tape.", valueName: "FILE"))
  var file: String

  @Argument(
    help: ArgumentHelp("The instrument for all parts; momu instruments lists them.", valueName: "INSTRUMENT"))
  var instrument: String?

  private var isPlayed: Bool { play || instrument != nil || common.offline || common.audio != nil }

  func validate() throws {
    if list, isPlayed {
      throw ValidationError("--list prints and does not play: leave it or what is to be played out")
    }
    if !set.isEmpty, instrument == nil {
      throw ValidationError("--set is for one instrument: name it, such as tone")
    }
    if player != nil, !isPlayed {
      throw ValidationError("--player is for playing: add --play, or name an instrument, such as tone")
    }
  }

  func run() throws {
    if list { return try printList() }
    let tape = try SessionTapeReader(path: file)
    let summary = RecordingSummary(tape, warn: printDiagnostic)
    guard isPlayed else {
      show(summary.text(path: file, start: tape.startNanosecondsSince1970, madeBy: tape.madeBy))
      return
    }
    // Its problems have been reported.
    var sounds = summary
    if let player {
      guard summary.players[player] != nil else {
        throw ReplayError.noPlayer(player, there: summary.players.keys.sorted())
      }
      sounds = RecordingSummary(try SessionTapeReader(path: file), only: player) { _ in }
    }
    guard let instrument else {
      let (parts, remarks) = try ReplayPart.own(sounds, path: file)
      for remark in remarks { printDiagnostic(remark) }
      return try play(parts, summary)
    }
    let part = try ReplayPart.all(on: instrument, sounds)
    var options = PlayOptions()
    options.settings = set
    for remark in try options.remarks(on: part.entry) { printDiagnostic(remark) }
    try play([part], summary)
  }

  private func printList() throws {
    let tape = try SessionTapeReader(path: file)
    var line = TapeLine()
    while let entry = try tape.next() {
      guard show(line.text(entry) + "\n") else { return }
    }
    if let warning = tape.warning { printDiagnostic(warning) }
  }

  private func play(_ parts: [ReplayPart], _ summary: RecordingSummary) throws {
    let tape = try SessionTapeReader(path: file)
    let words = ["momu session replay"] + common.arguments
    var (progress, source): (ReplayProgress?, SessionTapeSource?) = (nil, nil)
    MoApp.run("Plays a session's tape.", arguments: words) {
      let run = Run.current
      run.reportsFile = false
      // Two renderings of a tape are identical, with or without a given seed.
      if run.isOffline, !run.options.given.contains("seed") { SeedSource.set(1) }
      let shown = LatestValue(BeatClock(clock: SlewedClock(), timeline: nil))
      var played: [(ReplayPart, InstrumentHandle)] = []
      for part in parts { played.append((part, try part.entry.play())) }
      for setting in set { try played[0].1.set(setting.name, to: setting.value) }
      try MoAudio.follow { shown.load() }
      // In real time the first sound waits until everything runs.
      let start = run.isOffline ? HostTime.zero : run.clock.now + .milliseconds(200)
      let recordingPlayer = RecordingPlayer(played, shown: shown, start: start, only: player)
      // A rendered file has no fade-out to wait for.
      let end = run.isOffline ? nil : start.advanced(bySeconds: summary.length + Self.tail)
      let tapeSource = try SessionTapeSource(tape, player: recordingPlayer, start: start, end: end)
      let isShown = run.isOffline && !run.options.quiet && !run.options.plain && TerminalLine.isAvailable
      let shownProgress = ReplayProgress(
        played.map(\.1), start: start, length: summary.length, isShown: isShown)
      (progress, source) = (shownProgress, tapeSource)
      for releases in recordingPlayer.releases { try run.input.add(releases) { _ in } }
      try run.input.add(shownProgress) { _ in }
      // The problems of the tape were reported when it was summarised.
      try run.input.add(tapeSource) { _ in if end != nil { StopWait.end() } }
      if !run.options.quiet { Self.open(played.map(\.1), shownProgress, run) }
    }
    guard let progress, let source else { return }
    try printSummary(parts, summary, progress, isWhole: source.isOver)
  }

  /// Shows the progress and the instruments' names in the console; for a single instrument, also its parameters.
  private static func open(_ handles: [InstrumentHandle], _ progress: ReplayProgress, _ run: Run) {
    if handles.count == 1 { InstrumentConsole.open(handles[0]) }
    let names = handles.map(\.sheet.name).joined(separator: ", ")
    run.picture.withLock { picture in
      let own = picture.draw
      picture.draw = { columns in
        let line = ScreenLine("\(progress.text(at: run.clock.now))   \(names)")
        return (own?(columns) ?? [])
          + [ScreenBlock(line.wrapped(to: columns), priority: ScreenBlock.Priority.own)]
      }
    }
  }

  /// Prints the length, the peak and the instruments of an offline replay; throws `ReplayError.silent` if nothing
  /// sounded.
  ///
  /// - Parameter isWhole: whether the tape was played to its end, and not stopped by the user.
  private func printSummary(
    _ parts: [ReplayPart], _ summary: RecordingSummary, _ progress: ReplayProgress, isWhole: Bool
  )
    throws
  {
    let audio = common.audio ?? (common.offline ? "what was rendered" : "what was played")
    let what = audio.hasPrefix("wav:") ? String(audio.dropFirst(4).prefix { $0 != "?" }) : audio
    guard let peak = progress.peak else {
      // The user stopped it before anything sounded.
      guard isWhole || common.offline else { return }
      throw ReplayError.silent(what.printable)
    }
    guard common.offline, !common.quiet else { return }
    let list = parts.map { part in
      let isPattern = part.board != nil && part.notes == 0
      return "\(part.entry.sheet.name) \(isPattern ? "by its pattern" : counted(part.notes, "note"))"
    }.joined(separator: ", ")
    let decibels = Int((20 * log10(Double(peak))).rounded())
    printDiagnostic(
      "\(what.printable): \(RecordingSummary.duration(summary.length)) of tape, peak \(decibels) dB; \(list)"
        + (progress.silenceBefore > 5
          ? "; the first sound comes at \(RecordingSummary.duration(progress.silenceBefore.rounded(.down)))"
          : ""))
  }

  /// The seconds from the end of the tape to the end of a replay in real time; the last sound fades during these
  /// seconds.
  private static let tail = 2.0
}

/// The reason why a replay of a tape failed; the text says what to do.
enum ReplayError: Error, CustomStringConvertible, Equatable {
  /// No member on the tape has the name that the user gave with `--player`; `there` lists the members' names on the
  /// tape.
  case noPlayer(String, there: [String])
  /// The tape has no strikes, notes, melodies, movement or drum patterns; the value is the tape's path.
  case nothingToPlay(String)
  /// No sound was played or rendered; the value names the output, such as a file.
  case silent(String)

  var description: String {
    switch self {
    case .nothingToPlay(let path):
      "nothing on \(path) can be played: no notes, strikes, movement or drums are on it. A tape has what members play while "
        + "momu session --record runs, and --hidden hears nothing; momu session replay \(path) --list shows what is on it"
    case .silent(let what):
      "\(what) is silent: nothing that is on the tape sounded; momu session replay FILE --list shows what is on it"
    case .noPlayer(let name, let there):
      "no player on this tape is called \"\(name)\""
        + (Spelling.nearest(to: name, among: there).map { ": did you mean \"\($0)\"?" }
          ?? (there.isEmpty ? "" : ": \(there.joined(separator: ", "))"))
    }
  }
}
