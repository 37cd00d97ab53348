import ArgumentParser
import Glibc
import MoConsole
import MoCore
import MoOrchestra
import MoRuntime

/// `momu session`: takes part in a room without an instrument.
struct SessionJoinCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "join", abstract: "Take part without an instrument.",
    discussion: """
      Shows the members with their timing, the conductor, bar, beat and tempo. Type commands, or pipe them into standard \
      input. Rhythm: `start`, `stop`, `tempo 96`, `tempo 140 8` (over 8 beats), `meter 3/4`. Baton: `baton` takes it, \
      `ask` asks the conductor for it, `give NAME` hands it over, `lift` ends --conductor-only after a minute's absence. \
      Room: `join` (follows the other part), `ignore NAME`, `unignore NAME`, `panic`, `unpanic`, `check`. Playing: \
      `hit 0.8 at 16 to NAME`, `note C4 0.8 2`, `change brightness 0.9 to NAME`, `melody C4 E4`, `activity 0.5`; \
      `to section drums` and `to all` also work. Gates: `gates`, `gates monarchic NAME`, `gate 0.5 notes FROM TO`. \
      Sections: `section drums Ada`, `mute drums`, `level drums 0.5`, `cue drums in`, `sections`. Talking and marks: \
      `say LINE`, `tell NAME LINE`, `mark`, `song NAME`. Put names with spaces into quotes: `gate 0 notes "Ada Lovelace" all`. \
      In a terminal, Tab completes words and names, and ↑ brings back earlier lines. Ctrl-C leaves.
      """)

  @OptionGroup var place: RoomOptions

  @Flag(help: "Start the rhythm, or take a baton that is free.")
  var conduct = false

  @Option(help: ArgumentHelp("Beats per minute, with --conduct.", valueName: "BPM"), transform: readTempo)
  var tempo: Tempo = 120

  @Option(help: ArgumentHelp("The meter, with --conduct.", valueName: "N/N"), transform: readMeter)
  var meter = Meter.common

  @Option(help: .shared("seconds"), transform: readSeconds)
  var seconds: Double?

  @Option(
    help: ArgumentHelp(
      "Write every 10 ms: true time, the beat, this machine's time.", valueName: "FILE"))
  var logBeats: String?

  @Option(help: ArgumentHelp("Record all events, for momu session replay.", valueName: "FILE"))
  var record: String?

  @OptionGroup var right: ConductorRight

  @Flag(help: "Also print the events for this member.")
  var listen = false

  @Flag(help: "Do not appear in the others' lists.")
  var hidden = false

  @Flag(help: .shared("plain")) var plain = false

  func run() throws {
    let stop = StopWait()
    try SessionCommand.begin(
      place.sharedArguments + right.sharedArguments + (plain ? ["--plain"] : []))
    let clock = SystemClock()
    let end = seconds.map { clock.now.advanced(bySeconds: $0) } ?? .distantFuture
    let log = try logBeats.map { path in try BeatLog(path: path) }
    if let record {
      try SessionServer.shared.record(to: record)
      if hidden {
        printDiagnostic("a --hidden member receives no notes: the tape has only the shared state")
      }
    }
    // Before any event can occur.
    SessionLogPrinter.begin()
    if listen { EventPrinter.begin() }
    var joinOptions = place.joinOptions(as: "momu session")
    joinOptions.isHidden = hidden
    try SessionServer.shared.join(joinOptions)
    defer {
      SessionServer.shared.leave()
      SessionServer.shared.stopRecording()
      log?.close()
    }
    if let id = SessionServer.shared.read({ core, _ in core.settings.identity.installation }) {
      printDiagnostic("this installation is \(id); --conductor-only \(id) lets only it conduct")
    }
    let run = Run.current
    let isDrawn = !run.options.plain && TerminalLine.isAvailable
    let prompt = isDrawn && KeyboardTerminal.isAvailable ? CommandPrompt("> ", isKept: true) : nil
    if let prompt {
      _ = try? run.keys.add(to: run.input, rank: .prompt) { key, _ in prompt.handleKey(key) }
    } else {
      SessionLines.read()
    }
    defer {
      TerminalLine.clear()
      KeyboardTerminal.restore()
    }
    var baton = conduct ? BatonRequest(tempo: tempo, meter: meter) : nil
    var nextPicture = clock.now
    // By then all others have answered; if none did, the reason may help.
    var missedAt: HostTime? = clock.now + .seconds(3)
    var level: Int32 = 1
    var facts = RoomFacts()
    while clock.now < end {
      baton?.take()
      if run.options.plain, let new = RoomFacts.now() {
        for line in StatusPrinter.changesWithoutEvents(from: facts, to: new) { printDiagnostic(line) }
        facts = new
      }
      if listen, let bar = MoSession.beat.position(at: clock.now)?.bar,
        case let now = MoSession.pattern.entry(inBar: bar).level, now != level
      {
        level = now
        printDiagnostic("level \(level) of 5")
      }
      if let due = missedAt, due <= clock.now {
        missedAt = nil
        if MoSession.members.count < 2 {
          for peer in place.peer { printDiagnostic(Self.unanswered(peer, room: place.room)) }
          if let problem = SessionServer.shared.problem { printDiagnostic(problem) }
          let room = MoSession.room ?? ""
          if let near = AloneNotice.similar(to: room, among: MoSession.otherRooms.map(\.name)) {
            printDiagnostic(
              "no other member is in the room \(room) yet: did you mean the room \(near)? --room \(near)"
                .printable)
          }
        }
      }
      if isDrawn, clock.now >= nextPicture {
        let columns = TerminalLine.room.columns
        let typed = prompt?.block(columns: columns)
        let hint = prompt?.isEmpty == true ? [Self.hint(columns: columns)] : []
        TerminalLine.draw(SessionPicture.now(columns: columns) + (typed.map { [.blank] + hint + [$0] } ?? []))
        nextPicture = clock.now + .milliseconds(typed == nil ? 100 : 50)
      }
      if stop.wait(until: min(end, clock.now + .milliseconds(baton == nil && prompt == nil ? 100 : 20))) {
        return
      }
      if baton?.isDone == true { baton = nil }
    }
  }

  /// Returns the hint above the empty line, which gives way to all other rows.
  static func hint(columns: Int) -> ScreenBlock {
    let text = "start   say …   help lists all commands   Tab completes   Ctrl-C leaves"
    return ScreenBlock(
      ScreenLine(text, .faint).wrapped(to: columns), priority: ScreenBlock.Priority.help, least: 0)
  }

  /// Returns the notice that no member has answered at `peer`, an address that `--peer` names.
  static func unanswered(_ peer: String, room: String?) -> String {
    "no member has answered at \(peer.printable) yet: check the address, that a program there is in the room "
      + "\(room ?? MoSession.room ?? "") with the same passkey, and its firewall (momu doctor on both machines)"
  }
}

@Sendable
private func readMeter(_ text: String) throws -> Meter {
  guard let meter = Meter(text) else { throw ValidationError("must be a meter such as 4/4 or 7/8") }
  return meter
}

/// The request of the option `--conduct`: to take the baton or, if no rhythm runs, to start the rhythm as its
/// conductor.
///
/// Each call of `take` tries this until an attempt has succeeded; `isDone` is then true.
struct BatonRequest {
  let tempo: Tempo
  let meter: Meter
  private(set) var isDone = false
  private var hasWarned = false

  init(tempo: Tempo, meter: Meter) { (self.tempo, self.meter) = (tempo, meter) }

  mutating func take() {
    guard !isDone, SessionServer.shared.read({ core, _ in core.hasArrived }) == true else { return }
    do {
      let plays = SessionServer.shared.read { core, now in core.beatClock.isPlaying(at: now) } ?? false
      if plays {
        try MoSession.takeBaton()
      } else {
        try MoSession.startRhythm(tempo: tempo, meter: meter)
      }
      isDone = true
    } catch {
      if !hasWarned { printDiagnostic("\(error)") }
      hasWarned = true
    }
  }
}
