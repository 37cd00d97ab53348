import ArgumentParser
import MoCore
import MoMu
import MoOSC

/// `momu osc ping`: measures the round trip to another machine.
struct PingCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "ping", abstract: "Measure round trip, jitter and loss.",
    discussion: """
      `momu osc listen` answers on the other machine, and so does each program that calls MoNet.answerPings(). Each \
      bar is a round trip, from 0.1 ms or less (▁) to more than 100 ms (█). × is a ping without an answer within a \
      second. Ctrl-C ends the command with a summary.
      """)

  @Option(help: ArgumentHelp("Number of pings.", valueName: "N"), transform: readCount)
  var count = 50

  @Option(
    help: ArgumentHelp("Time between pings, 0.001 to 60.", valueName: "SECONDS"), transform: readInterval)
  var interval = 0.1

  @Flag(help: "Print one JSON object.")
  var json = false

  @Argument(help: ArgumentHelp("The machine to ping (default port 6449).", valueName: "HOST[:PORT]"))
  var host: String

  func run() throws {
    let stop = StopWait()
    let target = PingTarget.full(host)
    // This command reports network errors itself, at the end.
    MoLog.handler = { _, _ in }
    let board = PingBoard(isDrawn: !json)
    try MoNet.listen(port: 0)
    defer { MoNet.stop() }
    MoNet.on(MoNet.pongAddress) { (pong: NetMessage) in board.receive(pong.arguments, at: pong.arrival) }
    MoNet.onEvent { event in
      if case .undelivered = event { board.refuse() }
    }
    printDiagnostic("\(count) pings to \(target), \(rounded(1 / interval)) a second")
    try send(to: target, board, stop)
    board.finish()
    let statistics = board.statistics
    show(json ? statistics.json(target) + "\n" : statistics.summary)
    guard statistics.roundTrips.isEmpty else { return }
    throw board.isRefused ? ToolError.refused(target: target) : .nothingAnswered(target: target)
  }

  private func send(to target: String, _ board: PingBoard, _ stop: StopWait) throws {
    let clock = SystemClock()
    let start = clock.now
    for number in 0..<count {
      let now = clock.now
      let values = board.send(at: now)
      try MoNet.send(.message(OSCMessage(MoNet.pingAddress, values)), to: target)
      let isLast = number == count - 1
      if !isLast, stop.wait(until: start.advanced(bySeconds: Double(number + 1) * interval)) { return }
    }
    // The last answers may still arrive.
    let end = clock.now + PingBoard.timeout
    while !board.isComplete && clock.now < end {
      if stop.wait(until: min(end, clock.now + .milliseconds(5))) { return }
    }
  }
}

@Sendable
private func readInterval(_ text: String) throws -> Double {
  guard let number = Double(text), (0.001...60).contains(number) else {
    throw ValidationError("must be 0.001 to 60 seconds, such as 0.1")
  }
  return number
}

/// The target of a ping, as users type it.
enum PingTarget {
  /// Returns the target with a port and with brackets around an IPv6 address: `fe80::1` becomes `[fe80::1]:6449`.
  ///
  /// The port is the default port if the text has no port.
  static func full(_ text: String) -> String {
    for scheme in ["udp:", "tcp:", "slip:"] where text.hasPrefix(scheme) {
      return scheme + full(String(text.dropFirst(scheme.count)))
    }
    if text.hasPrefix("[") { return text.hasSuffix("]") ? "\(text):\(Port.usual)" : text }
    switch text.filter({ $0 == ":" }).count {
    case 0: return "\(text):\(Port.usual)"
    case 1: return text
    default: return "[\(text)]:\(Port.usual)"
    }
  }
}
