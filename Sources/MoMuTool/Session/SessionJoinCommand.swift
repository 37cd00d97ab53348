import ArgumentParser
import Glibc
import MoConsole
import MoCore
import MoOrchestra
import MoRuntime

/// `momu session`: takes part without an instrument.
struct SessionJoinCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "join", abstract: "Take part without an instrument.",
    discussion: """
      Shows who is there, who conducts, bar, beat and tempo, and how well each keeps time. Lines on standard input do \
      something: `start`, `stop`, `tempo 96`, `tempo 140 8` (over 8 beats), `meter 3/4`, `baton`, `give NAME`, \
      `ask` (the conductor for the baton), \
      `join` (another part of the room that plays, too), `lift` (let all conduct after the only one who may has been away \
      for a minute), `ignore NAME`, `unignore NAME`, `panic`, `unpanic`, `check`; `hit 0.8 at 16 to NAME`, `note C4 0.8 2`, `change brightness 0.9 to NAME`, `melody C4 E4`, \
      `activity 0.5`, where `to section drums` is a section and `to all` everybody; `gates monarchic NAME`, `gates` (which are set), \
      `gate 0.5 notes FROM TO`. \
      `section drums Ada`, `mute drums`, `level drums 0.5`, `cue drums in` lead a section, `sections` says who in them is \
      silent, late or lost. A name with spaces stands in quotes: `gate 0 notes "Ada Lovelace" all`. In a terminal, Tab \
      completes words and names, and ↑ brings lines back. Ctrl-C leaves.
      """)

  @OptionGroup var place: SessionPlace

  @Flag(help: "Start the rhythm, or take a baton that is free.")
  var conduct = false

  @Option(help: ArgumentHelp("Beats a minute, with --conduct.", valueName: "BPM"), transform: readTempo)
  var tempo = 120.0

  @Option(help: ArgumentHelp("The meter, with --conduct.", valueName: "N/N"), transform: readMeter)
  var meter = Meter.common

  @Option(help: ArgumentHelp("Leave after this time.", valueName: "SECONDS"), transform: readSeconds)
  var seconds: Double?

  @Option(
    help: ArgumentHelp(
      "Write every 10 ms: true time, the beat, this machine's time.", valueName: "FILE"))
  var logBeats: String?

  @Option(help: ArgumentHelp("Record all events, for momu session replay.", valueName: "FILE"))
  var record: String?

  @Option(
    help: ArgumentHelp("Let only one installation conduct, by its ID.", valueName: "ID"),
    transform: readInstallation)
  var conductorOnly: MemberID?

  @Flag(help: "Also say what is played for this member.")
  var listen = false

  @Flag(help: "Take part without being shown to others.")
  var hidden = false

  @Flag(help: "Print a line per event, for screen readers.")
  var plain = false

  func run() throws {
    let stop = StopWait()
    let clock = SystemClock()
    let end = seconds.map { clock.now.advanced(bySeconds: $0) } ?? .distantFuture
    let log = try logBeats.map { path in try BeatLog(path: path) }
    if let record {
      try SessionServer.shared.record(to: record)
      if hidden {
        complain("who takes part --hidden is played nothing: on the tape is only what all agree on")
      }
    }
    // Before any event can occur.
    SessionLogPrinter.begin()
    if listen { EventPrinter.begin() }
    var wish = place.wish(as: "momu session")
    (wish.isHidden, wish.only) = (hidden, conductorOnly)
    try SessionServer.shared.join(wish)
    defer {
      SessionServer.shared.leave()
      SessionServer.shared.stopRecording()
      log?.close()
    }
    if let id = SessionServer.shared.look({ core, _ in core.settings.identity.installation }) {
      complain("this installation is \(id), if only one may conduct: --conductor-only \(id)")
    }
    let run = Run.current
    let isDrawn = !plain && !run.options.plain && TerminalLine.isAvailable
    let prompt = isDrawn && KeyboardTerminal.isAvailable ? CommandPrompt("> ", isKept: true) : nil
    if let prompt {
      _ = try? run.keys.add(to: run.input) { key, _ in prompt.take(key) }
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
    while clock.now < end {
      baton?.take()
      if listen, let bar = MoSession.beat.position(at: clock.now)?.bar,
        case let now = MoSession.pattern.entry(inBar: bar).level, now != level
      {
        level = now
        complain("level \(level) of 5")
      }
      if let due = missedAt, due <= clock.now {
        missedAt = nil
        if MoSession.members.count < 2, let trouble = SessionServer.shared.trouble { complain(trouble) }
      }
      if isDrawn, clock.now >= nextPicture {
        let columns = TerminalLine.room.columns
        let typed = prompt?.block(columns: columns)
        TerminalLine.draw(SessionPicture.now(columns: columns) + (typed.map { [.blank, $0] } ?? []))
        nextPicture = clock.now + .milliseconds(typed == nil ? 100 : 50)
      }
      if stop.wait(until: min(end, clock.now + .milliseconds(baton == nil && prompt == nil ? 100 : 20))) {
        return
      }
      if baton?.isDone == true { baton = nil }
    }
  }
}

@Sendable
private func readMeter(_ text: String) throws -> Meter {
  guard let meter = Meter(text) else { throw ValidationError("it is a meter such as 4/4 or 7/8") }
  return meter
}

@Sendable
private func readInstallation(_ text: String) throws -> MemberID {
  guard let id = MemberID(text) else {
    throw ValidationError("it is an ID of up to 16 hexadecimal digits, as momu session shows at its start")
  }
  return id
}
