import ArgumentParser
import MoCore
import MoMu
import MoOSC

/// A port that is listened on for one verb, from its greeting to its summary.
struct ListenSession {
  /// The pattern that every address matches.
  static let everything = "//*"

  private let port: Int
  private let pattern: String
  private let since = SystemClock().now

  /// Opens the port.
  ///
  /// - Throws: `NetError`, or `OSCError` for what is no pattern.
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

  /// Gives messages to `body`, answers pings and rigs, and tells people where to send.
  func start(_ body: @escaping @Sendable (NetMessage) -> Void) {
    MoNet.on(pattern) { (message: NetMessage) in body(message) }
    MoNet.answerPings()
    MoNet.answerRigs()
    let place = NetInterface.likeliestAddress().map { "\($0):\(port), on this machine to " } ?? ""
    complain("listening on UDP port \(port): send to \(place)127.0.0.1:\(port)")
  }

  /// Closes the port and says what came.
  func finish(heard: Int) {
    let statistics = MoNet.statistics
    MoNet.stop()
    guard heard > 0 else {
      let other = statistics.counts.received
      return complain(
        other > 0
          ? "\(counted(other, "message")) arrived, but none at an address like \(pattern)"
          : statistics.counts.malformed > 0
            ? "what arrived on UDP port \(port) was no OSC (\(counted(statistics.counts.malformed, "packet")))"
            : "nothing arrived on UDP port \(port). To find out why: momu doctor --port \(port)")
    }
    let senders = statistics.senders.count
    let seconds = rounded(SystemClock().now.seconds(since: since))
    complain("\(counted(heard, "message")) from \(counted(senders, "sender")) in \(seconds) s")
    if statistics.counts.dropped > 0 {
      complain("\(statistics.counts.dropped) more came faster than they could be taken, and are lost")
    }
    if statistics.kernelDropped > 0 {
      complain(
        "the kernel dropped \(counted(statistics.kernelDropped, "packet")): momu doctor says how to help it")
    }
    if statistics.counts.malformed > 0 {
      complain("\(counted(statistics.counts.malformed, "packet")) held no OSC")
    }
  }
}
