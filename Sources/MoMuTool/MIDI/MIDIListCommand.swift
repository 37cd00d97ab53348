import ArgumentParser
import MoMIDI
import MoMu

/// `momu midi list`: lists the ports and the network sessions.
struct MIDIListCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "Show MIDI ports and network sessions by the names that --midi and --midi-out take.")

  @Flag(help: "Print one JSON object.")
  var json = false

  // `--seconds` has its own text here, since it is the time of the search, and has a default.
  @Option(
    help: ArgumentHelp("Seconds to look for network sessions (default: 1).", valueName: "N"),
    transform: readSeconds)
  var seconds: Double?

  func run() throws {
    let run = try MIDICommand.begin(["--quiet"])
    let (sessions, problem) = MIDINetworkPlace.all(within: .seconds(seconds ?? 1), clock: run.clock)
    var ports: [MIDIPort] = []
    var failure: MIDIError?
    do throws(MIDIError) { ports = try MIDIServer.shared.ports() } catch { failure = error }
    if let failure, sessions.isEmpty { throw failure }
    show(json ? Self.json(ports, sessions) : Self.text(ports, sessions))
    if let failure { printDiagnostic("\(failure)") }
    if let problem { printDiagnostic("network sessions are not found, for \(problem.reason)") }
  }

  /// Returns a line for each port and network session: the ports of devices first, then ports of programs, then
  /// sessions.
  static func text(_ ports: [MIDIPort], _ sessions: [MIDINetworkPlace] = []) -> String {
    guard !ports.isEmpty || !sessions.isEmpty else {
      return "(no MIDI port: plug in a keyboard, or start a program that has one)\n"
    }
    let names = ports.map(\.fullName.printable) + sessions.map(\.option)
    let width = names.map(\.count).filter { $0 <= 48 }.max() ?? 0
    let ordered = ports.filter(\.isDevice) + ports.filter { !$0.isDevice }
    let lines = ordered.map { port in
      let ways = [port.sends ? "in (--midi)" : nil, port.receives ? "out (--midi-out)" : nil].compactMap {
        $0
      }
      let kind = port.isDevice ? "device" : "program"
      let name = port.fullName.printable.padded(to: width)
      return "\(name)  \(kind) \(port.address.client):\(port.address.port), "
        + ways.joined(separator: ", ") + "\n"
    }
    return
      (lines
      + sessions.map { session in
        "\(session.option.padded(to: width))  network \(session.endpoint.text), in (--midi), out (--midi-out)\n"
      }).joined()
  }

  /// Returns one JSON object with a list of ports and a list of network sessions.
  static func json(_ ports: [MIDIPort], _ sessions: [MIDINetworkPlace] = []) -> String {
    let list = ports.map { port in
      JSONValue.object([
        ("name", .text(port.fullName)), ("client", .integer(Int64(port.address.client))),
        ("port", .integer(Int64(port.address.port))), ("device", .bool(port.isDevice)),
        ("in", .bool(port.sends)),
        ("out", .bool(port.receives)),
      ])
    }
    let found = sessions.map { session in
      JSONValue.object([("name", .text(session.name)), ("address", .text(session.endpoint.text))])
    }
    return JSONValue.object([("ports", .list(list)), ("sessions", .list(found))]).description + "\n"
  }
}

extension MIDINetworkPlace {
  /// The value of `--midi` that names the session, such as `net:iPad`.
  fileprivate var option: String { "net:\(name)" }
}
