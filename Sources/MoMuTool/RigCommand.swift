import ArgumentParser
import MIDICore
import MoMIDI
import MoMu
import MoRig

/// `momu rig`: sends the readings of sensors as OSC messages, for months without a break.
struct RigCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rig", abstract: "Stream sensors as OSC, as set in a configuration.",
    discussion: """
      If a device is missing, the rig waits for it. If a target cannot be reached, the rig tries again. It reports \
      mistakes in the configuration and runs the rest. Without CONFIG, it reads the first existing file of \
      \(RigFile.usual.joined(separator: ", ")). Docs/Rig.md explains the settings. Under systemd (Type=notify), the \
      rig reports when it is ready and feeds the watchdog. At SIGHUP, it reads the configuration again. Ctrl-C ends it.
      """)

  @Flag(
    help:
      "Check the configuration only; status 1 if it has faults."
  )
  var check = false

  @Flag(
    help:
      "Check with the access rights of the service momu-rig."
  )
  var asService = false

  @Option(
    help: ArgumentHelp("Unit file of the service (default: the installed one).", valueName: "FILE"))
  var unit: String?

  @Flag(help: "Print an example configuration.")
  var example = false

  @Flag(help: "Print the udev rules that give the service its devices.")
  var udevRule = false

  @Option(help: .shared("seconds"), transform: readSeconds)
  var seconds: Double?

  @Argument(help: ArgumentHelp("The configuration file.", valueName: "CONFIG"))
  var file: String?

  private var words: RigArguments {
    var words = RigArguments()
    (words.checks, words.asService, words.unit) = (check, asService, unit)
    (words.example, words.udevRule, words.seconds, words.file) = (example, udevRule, seconds, file)
    return words
  }

  func validate() throws {
    do { try words.check() } catch { throw ValidationError("\(error)") }
  }

  func run() throws {
    Rig.midi = ToolMIDIPorts()
    do {
      let status = try RigProgram.run(words) { show($0) }
      if status != 0 { throw ExitCode(status) }
    } catch let mistake as RigArguments.Mistake {
      throw ValidationError("\(mistake)")
    }
  }
}

/// The access to MIDI ports for `momu rig`; the module MoRig itself cannot open MIDI ports.
struct ToolMIDIPorts: RigMIDIPorts {
  func open(
    _ name: String, in run: Run, returned: @escaping @Sendable () -> Void
  ) throws -> any RigMIDIPort {
    let server = MIDIServer(clientName: "MoMu rig")
    server.events.add { event in if case .sending = event { returned() } }
    try server.startOutput(target: name, in: run)
    return Port(server: server, run: run)
  }

  func problem(with name: String) -> (text: String, isWaiting: Bool)? {
    do throws(MIDIError) {
      try MIDIServer(clientName: "MoMu rig").check(target: name)
      return nil
    } catch {
      if case .noPort = error { return ("now it would wait: \(error)", true) }
      return ("\(error)", false)
    }
  }

  private struct Port: RigMIDIPort {
    let server: MIDIServer
    let run: Run

    func send(_ message: MIDIMessage, at time: HostTime) {
      // A full queue drops the message, as a cable would.
      try? server.send(.message(message), at: time, in: run)
    }

    func close() { server.stop() }
  }
}
