import ArgumentParser
import MoMIDI
import MoMu

/// `momu midi list`: the ports that there are.
struct MIDIListCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "Show the MIDI ports by the names that --midi and --midi-out take.")

  @Flag(help: "Print one JSON object.")
  var json = false

  func run() throws {
    _ = try MIDICommand.begin(["--quiet"])
    let ports = try MIDIServer.shared.ports()
    show(json ? Self.json(ports) : Self.text(ports))
  }

  /// A line each, devices first.
  static func text(_ ports: [MIDIPort]) -> String {
    guard !ports.isEmpty else {
      return "(no MIDI port: plug in a keyboard, or start a program that has one)\n"
    }
    let width = ports.map(\.fullName.count).filter { $0 <= 48 }.max() ?? 0
    let ordered = ports.filter(\.isDevice) + ports.filter { !$0.isDevice }
    return ordered.map { port in
      let ways = [port.sends ? "in (--midi)" : nil, port.receives ? "out (--midi-out)" : nil].compactMap {
        $0
      }
      let kind = port.isDevice ? "device" : "program"
      return "\(port.fullName.padded(to: width))  \(kind) \(port.address.client):\(port.address.port), "
        + ways.joined(separator: ", ") + "\n"
    }.joined()
  }

  /// One object with a list.
  static func json(_ ports: [MIDIPort]) -> String {
    let list = ports.map { port in
      JSONValue.object([
        ("name", .text(port.fullName)), ("client", .integer(Int64(port.address.client))),
        ("port", .integer(Int64(port.address.port))), ("device", .bool(port.isDevice)),
        ("in", .bool(port.sends)),
        ("out", .bool(port.receives)),
      ])
    }
    return JSONValue.object([("ports", .list(list))]).description + "\n"
  }
}
