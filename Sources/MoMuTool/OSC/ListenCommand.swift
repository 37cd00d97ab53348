import ArgumentParser
import MoCore
import MoMu
import MoOSC
import Synchronization

/// `momu osc listen`: prints each message that arrives, on a line.
struct ListenCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "listen", abstract: "Print the OSC messages that arrive.",
    discussion: """
      Each line shows the sender, the address, the types, the values, the age and the rate. The age counts from the \
      bundle's time tag, or without one from the message's arrival. The rate is that of the latest messages at this \
      address from this sender. This command also answers `momu osc ping`. Ctrl-C ends it.
      """)

  @OptionGroup var options: ListenOptions

  @Flag(help: "Print a JSON object per line.")
  var json = false

  @Argument(help: "Address, or pattern in quotes such as '/tilt/*'.")
  var pattern = ListenSession.everything

  func run() throws {
    let stop = StopWait()
    let listening = try ListenSession(options, pattern: pattern)
    let printer = MessagePrinter(json: json, count: options.count)
    listening.start { printer.printMessage($0) }
    _ = stop.wait()
    printer.close()
    listening.finish(received: printer.received)
  }
}

/// Writes a line for each OSC message to standard output; after a given number of messages, ends the command.
///
/// - Thread: `printMessage` on the network thread.
private final class MessagePrinter: Sendable {
  private struct State {
    var received = 0
    var rates = RateMeter()
  }

  private let json: Bool
  private let count: Int
  private let state = Locked(State())
  /// Whether messages are still printed.
  ///
  /// This value is outside `state`, since `printMessage` holds the lock of `state` while it waits for a slow reader.
  private let isOpen = Atomic<Bool>(true)

  init(json: Bool, count: Int?) {
    self.json = json
    self.count = count ?? .max
  }

  var received: Int { state.withLock { $0.received } }

  /// Ends the printing, also if the reader of the output accepts nothing; later messages are ignored.
  func close() { isOpen.store(false, ordering: .releasing) }

  /// Ends the printing, and the command if it has not been asked to end already.
  private func end() { if isOpen.exchange(false, ordering: .acquiringAndReleasing) { StopWait.end() } }

  private func print(_ line: String) -> Bool {
    show(line + "\n", while: { self.isOpen.load(ordering: .acquiring) })
  }

  func printMessage(_ message: NetMessage) {
    state.withLock { state in
      guard isOpen.load(ordering: .acquiring) else { return }
      state.received += 1
      let sender = "\(message.sender)"
      let line = MessageLine(
        message: OSCMessage(message.address, message.arguments), sender: sender,
        age: SystemClock().now.seconds(since: message.time),
        rate: state.rates.rate(of: .init(sender: sender, address: message.address), at: message.arrival),
        timeTag: message.timeTag)
      let isRead = print(json ? line.json : line.plain)
      if state.received == count || !isRead { end() }
    }
  }
}

/// A meter for the rate of messages, separately for each sender and each of the sender's OSC addresses.
struct RateMeter {
  struct Source: Hashable {
    var sender: String
    var address: String
  }

  /// The maximum number of messages from which the rate of a source is computed; only the source's latest messages
  /// count.
  private static let window = 16
  /// The longest pause between two messages of a source, in seconds; after a longer pause, earlier messages do not
  /// count.
  private static let longestPause = 2.0
  /// The maximum number of sources, since a sender may invent any number of addresses.
  ///
  /// When a further source appears, the meter removes all sources.
  private static let mostSources = 4_096

  /// The arrival times of the latest messages, by the hash of their source.
  ///
  /// The meter stores no addresses, since an address may be as long as a datagram.
  private var arrivals: [Int: [HostTime]] = [:]

  /// Adds a message, and returns the messages per second from its source.
  ///
  /// The rate is nil for the first message of a source, and for the first message after a pause.
  mutating func rate(of source: Source, at time: HostTime) -> Double? {
    let key = source.hashValue
    if arrivals.count >= Self.mostSources && arrivals[key] == nil { arrivals = [:] }
    var recent = arrivals[key, default: []]
    if let last = recent.last, time.seconds(since: last) > Self.longestPause { recent = [] }
    if recent.count == Self.window { recent.removeFirst() }
    recent.append(time)
    arrivals[key] = recent
    let span = time.seconds(since: recent[0])
    return span > 0 ? Double(recent.count - 1) / span : nil
  }
}
