import ArgumentParser
import MoCore
import MoMu
import MoOSC

/// `momu osc listen`: what arrives, a line each.
struct ListenCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "listen", abstract: "Show what arrives: sender, address, types, values, age, rate.",
    discussion: """
      The age is the time from the bundle's time tag, or else from the message's arrival, to now. The rate is that \
      of the last messages at this address from this sender. Answers `momu osc ping`. Ctrl-C ends it.
      """)

  @OptionGroup var options: ListenOptions

  @Flag(help: "Print one JSON object a line.")
  var json = false

  @Argument(help: "Only addresses like this one, which may be a pattern such as '/tilt/*'; quote it.")
  var pattern = ListenSession.everything

  func run() throws {
    let stop = StopWait()
    let listening = try ListenSession(options, pattern: pattern)
    let printer = MessagePrinter(json: json, count: options.count)
    listening.start { printer.take($0) }
    _ = stop.wait()
    printer.close()
    listening.finish(heard: printer.heard)
  }
}

/// Prints messages until there were enough.
///
/// - Thread: `take` on the network's thread.
private final class MessagePrinter: Sendable {
  private struct State {
    var heard = 0
    var isOpen = true
    var rates = RateMeter()
  }

  private let json: Bool
  private let count: Int
  private let state = Locked(State())

  init(json: Bool, count: Int?) {
    self.json = json
    self.count = count ?? .max
  }

  var heard: Int { state.withLock { $0.heard } }

  /// Nothing is printed after this.
  func close() { state.withLock { $0.isOpen = false } }

  func take(_ message: NetMessage) {
    state.withLock { state in
      guard state.isOpen else { return }
      state.heard += 1
      let sender = "\(message.sender)"
      let line = MessageLine(
        message: OSCMessage(message.address, message.arguments), sender: sender,
        age: SystemClock().now.seconds(since: message.time),
        rate: state.rates.rate(of: .init(sender: sender, address: message.address), at: message.arrival),
        timeTag: message.timeTag)
      let isRead = show((json ? line.json : line.plain) + "\n")
      if state.heard == count || !isRead {
        state.isOpen = false
        StopWait.end()
      }
    }
  }
}
