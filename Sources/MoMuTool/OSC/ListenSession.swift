import ArgumentParser
import MoCore
import MoMu
import MoOSC

/// The reception of messages by a command, from the opening of its port to the summary at the end.
struct ListenSession {
  /// The pattern that matches every address.
  static let everything = "//*"

  private let port: Int
  private let pattern: String
  private let since = SystemClock().now

  /// Opens the ports and joins the multicast groups that the options name.
  ///
  /// - Throws: `NetError`, or `OSCError` if the pattern is not valid.
  init(_ options: ListenOptions, pattern: String) throws {
    _ = try OSCAddressPattern(pattern)
    port = options.port.number
    self.pattern = pattern
    do {
      try MoNet.listen(port: port)
      if options.tcp { try MoNet.listenTCP(port: port) }
    } catch NetError.portTaken(let port, let program) {
      throw ToolError.portTaken(port, by: program)
    }
    for group in options.join { try MoNet.join(group) }
  }

  /// Starts to pass messages to `body`, and prints the address to which other programs can send messages.
  ///
  /// From now on, the requests of `momu osc ping` and of rigs are answered, too.
  func start(_ body: @escaping @Sendable (NetMessage) -> Void) {
    MoNet.on(pattern) { (message: NetMessage) in body(message) }
    MoNet.answerPings()
    MoNet.answerRigs()
    let place = NetInterface.likeliestAddress().map { "\($0):\(port), on this machine to " } ?? ""
    printDiagnostic("listening on UDP port \(port): send to \(place)127.0.0.1:\(port)")
  }

  /// Closes the ports and prints a summary.
  ///
  /// - Parameter received: the number of messages that the command has printed or recorded.
  func finish(received: Int) {
    let statistics = MoNet.statistics
    MoNet.stop()
    guard received > 0 else {
      let other = statistics.counts.received
      return printDiagnostic(
        other > 0
          ? "\(counted(other, "message")) arrived, but none at an address that matches \(pattern)"
          : statistics.counts.malformed > 0
            ? "\(counted(statistics.counts.malformed, "packet")) arrived on UDP port \(port), but no OSC message"
            : "nothing arrived on UDP port \(port). To find out why: momu doctor --port \(port)")
    }
    let senders = statistics.senders.count
    let seconds = rounded(SystemClock().now.seconds(since: since))
    printDiagnostic("\(counted(received, "message")) from \(counted(senders, "sender")) in \(seconds) s")
    if statistics.counts.dropped > 0 {
      printDiagnostic(
        "\(counted(statistics.counts.dropped, "more message")) lost: they came faster than MoMu could read them"
      )
    }
    if statistics.kernelDropped > 0 {
      printDiagnostic(
        "the kernel dropped \(counted(statistics.kernelDropped, "packet")): momu doctor shows how to prevent that"
      )
    }
    if statistics.counts.malformed > 0 {
      printDiagnostic("dropped \(counted(statistics.counts.malformed, "malformed packet"))")
    }
  }
}

/// The options of the commands that listen.
struct ListenOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp("UDP port to listen on.", valueName: "PORT"), transform: Port.init(typed:))
  var port: Port = .usual

  @Flag(help: "Also accept TCP on that port, size-prefixed or SLIP.")
  var tcp = false

  @Option(
    help: ArgumentHelp(
      "Join a multicast group: 224.0.1.9 or 224.0.1.9%wlan0.", valueName: "GROUP"))
  var join: [String] = []

  @Option(
    help: ArgumentHelp("Stop after this many messages.", valueName: "N"), transform: readCount)
  var count: Int?
}
