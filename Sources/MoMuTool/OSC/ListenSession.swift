import ArgumentParser
import MoCore
import MoMu
import MoOSC

/// The listening port of a command, from the first line that it prints to the summary.
struct ListenSession {
  /// The pattern that matches every address.
  static let everything = "//*"

  private let port: Int
  private let pattern: String
  private let since = SystemClock().now

  /// Opens the port.
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

  /// Passes messages to `body`, answers pings and rigs, and prints the address to send to.
  func start(_ body: @escaping @Sendable (NetMessage) -> Void) {
    MoNet.on(pattern) { (message: NetMessage) in body(message) }
    MoNet.answerPings()
    MoNet.answerRigs()
    let place = NetInterface.likeliestAddress().map { "\($0):\(port), on this machine to " } ?? ""
    complain("listening on UDP port \(port): send to \(place)127.0.0.1:\(port)")
  }

  /// Closes the port and prints a summary.
  func finish(heard: Int) {
    let statistics = MoNet.statistics
    MoNet.stop()
    guard heard > 0 else {
      let other = statistics.counts.received
      return complain(
        other > 0
          ? "\(counted(other, "message")) arrived, but none at an address that matches \(pattern)"
          : statistics.counts.malformed > 0
            ? "\(counted(statistics.counts.malformed, "packet")) arrived on UDP port \(port), but no OSC message"
            : "nothing arrived on UDP port \(port). To find out why: momu doctor --port \(port)")
    }
    let senders = statistics.senders.count
    let seconds = rounded(SystemClock().now.seconds(since: since))
    complain("\(counted(heard, "message")) from \(counted(senders, "sender")) in \(seconds) s")
    if statistics.counts.dropped > 0 {
      complain(
        "\(counted(statistics.counts.dropped, "more message")) lost: they came faster than MoMu could read them"
      )
    }
    if statistics.kernelDropped > 0 {
      complain(
        "the kernel dropped \(counted(statistics.kernelDropped, "packet")): momu doctor shows how to prevent that"
      )
    }
    if statistics.counts.malformed > 0 {
      complain("dropped \(counted(statistics.counts.malformed, "malformed packet"))")
    }
  }
}
