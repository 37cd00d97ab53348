import ArgumentParser
import MIDICore
import MoCore
import MoMIDI
import MoMu
import MoRuntime

/// `momu midi clock`: measures the tempo, jitter and dropouts of the MIDI clock that gear sends.
struct MIDIClockCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "clock", abstract: "Measure the MIDI clock of gear: tempo, jitter, lost clocks, dropouts.",
    discussion: """
      It prints a line each second. Jitter is the distance from the steady beat that 95 % of the last 480 clocks stay \
      within. A dropout is a silence of more than a quarter note, and of more than half a second, while the gear plays. \
      Tapes and files are measured immediately. Ctrl-C ends it.
      """)

  @Flag(help: "Print one JSON object a line.")
  var json = false

  @Option(help: .shared("seconds"), transform: readSeconds)
  var seconds: Double?

  @Argument(help: ArgumentHelp("A port's name, tape:FILE, file:TAKE.mid, or all.", valueName: "SOURCE"))
  var source = "all"

  func run() throws {
    if ["tape:", "file:"].contains(where: source.hasPrefix) { return try measureRecording() }
    let stop = StopWait()
    let run = try MIDICommand.begin(["--midi=\(source)"])
    // By the ports' numbers, since two devices may have the same name.
    let meters = Locked<[Int: (port: String, meter: MIDIClockMeter)]>([:])
    try MoMIDI.addCallback { event in
      switch event.message {
      case .clock, .start, .continue, .stop, .songPosition: break
      default: return
      }
      meters.withLock { meters in
        meters[event.portNumber, default: (event.port, MIDIClockMeter())]
          .meter.receive(event.message, at: event.time)
      }
    }
    let end = seconds.map { run.clock.now.advanced(bySeconds: $0) } ?? .distantFuture
    var next = run.clock.now
    while next < end {
      next = min(next + .seconds(1), end)
      let isStopped = stop.wait(until: next)
      let now = run.clock.now
      let found = meters.withLock { $0 }.sorted { ($0.value.port, $0.key) < ($1.value.port, $1.key) }
      for (_, (port, meter)) in found {
        print(ClockReport(meter, port: port, at: now))
      }
      if isStopped { break }
    }
    MoMIDI.stop()
    guard meters.withLock({ $0.isEmpty }) else { return }
    throw ToolError.noClock(source, isRecorded: false)
  }

  private func measureRecording() throws {
    var meters: [String: MIDIClockMeter] = [:]
    let (steps, nanoseconds) = try MIDIServer.steps(source: source)
    for step in steps {
      guard case .message(let message, let port) = step.message else { continue }
      switch message {
      case .clock, .start, .continue, .stop, .songPosition: break
      default: continue
      }
      let time = HostTime(nanoseconds: step.nanoseconds)
      if let seconds, time.seconds > seconds { break }
      meters[port, default: MIDIClockMeter()].receive(message, at: time)
    }
    guard meters.values.contains(where: { $0.clocks > 0 }) else {
      throw ToolError.noClock(source, isRecorded: true)
    }
    let end = HostTime(nanoseconds: nanoseconds)
    for (port, meter) in meters.sorted(by: { $0.key < $1.key }) {
      print(ClockReport(meter, port: port, at: end))
    }
  }

  private func print(_ report: ClockReport) { show((json ? report.json : report.text) + "\n") }
}

/// The measurements of a port's MIDI clock.
struct ClockReport: Equatable {
  var port: String
  var tempo: Double?
  /// The 95th percentile of the last 480 clock messages' deviations from a steady beat, in milliseconds.
  ///
  /// The jitter is nil until 20 clock messages have been measured.
  var jitter: Double?
  var clocks: Int
  var lost: Int
  var dropouts: Int
  var isRunning: Bool
  var beat: Double?
  var isSilent: Bool

  init(_ meter: MIDIClockMeter, port: String, at now: HostTime) {
    self.port = port
    (tempo, clocks, lost) = (meter.gear.tempo, meter.clocks, meter.gear.lost)
    jitter = meter.jitter(share: 0.95).map { $0 * 1e3 }
    isRunning = meter.gear.isRunning
    isSilent = meter.gear.isCoasting(at: now)
    dropouts = meter.silences + (isSilent && isRunning ? 1 : 0)
    beat = meter.gear.expectedBeat(at: now)
  }

  var text: String {
    let speed = tempo.map { "\(Self.hundredths($0)) beats/min" } ?? "no tempo yet"
    let shake = jitter.map { "jitter \(Self.hundredths($0)) ms (95 %)" } ?? "jitter unknown"
    let state = isRunning ? beat.map { "plays, beat \(Int($0.rounded(.down)) + 1)" } ?? "plays" : "stopped"
    return "\(port.printable)  \(speed)  \(shake)  \(counted(clocks, "clock")), \(lost) lost, "
      + "\(counted(dropouts, "dropout"))  \(isSilent ? "silent" : state)"
  }

  private static func hundredths(_ number: Double) -> Double { (number * 100).rounded() / 100 }

  var json: String {
    JSONValue.object([
      ("port", .text(port)), ("tempo", tempo.map { .number($0) } ?? .null),
      ("jitterMilliseconds", jitter.map { .number($0) } ?? .null), ("clocks", .integer(Int64(clocks))),
      ("lost", .integer(Int64(lost))), ("dropouts", .integer(Int64(dropouts))),
      ("isRunning", .bool(isRunning)), ("beat", beat.map { .number($0) } ?? .null),
      ("isSilent", .bool(isSilent)),
    ]).description
  }
}
