import ArgumentParser
import MIDICore
import MoCore
import MoMIDI
import MoMu

/// `momu midi bridge`: connects ALSA ports and a network session, in both directions.
struct MIDIBridgeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "bridge", abstract: "Connect ALSA ports to a network session (RTP-MIDI), both ways.",
    discussion: """
        momu midi bridge
        momu midi bridge net:iPad
        momu midi bridge net:192.168.0.5:5004 --from nanoKEY2 --to FLUID

      Keyboards play to all peers of the session. What peers play goes to the port of --to, or to whatever is connected \
      to MoMu's own port. Peers do not hear each other. Ctrl-C ends it, and releases all notes.
      """)

  @Option(
    help: ArgumentHelp("The ALSA port to read: a name, all or none (default: all).", valueName: "PORT"))
  var from = "all"

  @Option(
    help: ArgumentHelp("The ALSA port to send to; left out, whatever connects.", valueName: "PORT"))
  var to: String?

  @Option(help: .shared("seconds"), transform: readSeconds)
  var seconds: Double?

  @Argument(help: ArgumentHelp("net, net:NAME, net:HOST:PORT.", valueName: "SESSION"))
  var session = "net"

  func validate() throws {
    guard session == "net" || session.hasPrefix("net:") || session.hasPrefix("net?") else {
      throw ValidationError(
        "\"\(session)\" is not a network session: type net, net:NAME (momu midi list) or net:HOST:PORT")
    }
  }

  func run() throws {
    let stop = StopWait()
    let run = try MIDICommand.begin([], name: "MoMu bridge")
    let (alsa, network) = (MIDIServer.shared, MIDIServer.network)
    network.clientName = "MoMu bridge"
    let counts = Counts()
    // First, since without a sequencer it throws, whereas an unnamed output only says so.
    try alsa.startInput(source: from, in: run)
    if let to { try alsa.startOutput(target: to, in: run) } else { try alsa.startOutput(in: run) }
    try network.startOutput(target: session, in: run)
    try network.startInput(source: session, in: run)
    // Last, since a message to a server that has no target yet would open the default target.
    Self.pass(from: alsa, to: network, run) { counts.toNetwork.withLock { $0 += 1 } }
    Self.pass(from: network, to: alsa, run) { counts.toPorts.withLock { $0 += 1 } }
    _ = stop.wait(until: seconds.map { run.clock.now.advanced(bySeconds: $0) } ?? .distantFuture)
    // Each end's releases reach the other before that ends.
    network.stop()
    alsa.stop()
    printDiagnostic(
      "\(counted(counts.toNetwork.withLock { $0 }, "message")) to the network, "
        + "\(counts.toPorts.withLock { $0 }) from it")
  }

  private final class Counts: Sendable {
    let toNetwork = Locked(0)
    let toPorts = Locked(0)
  }

  private static func pass(
    from source: MIDIServer, to target: MIDIServer, _ run: Run, _ count: @escaping @Sendable () -> Void
  ) {
    // A message that finds no room is lost; its note's release is sent at the end.
    _ = source.onEvent { event in
      count()
      try? target.send(.message(event.message), at: event.time, in: run)
    }
    _ = source.onSysEx { message in
      count()
      try? target.sendSysEx(message.bytes, at: message.time, in: run)
    }
  }
}
