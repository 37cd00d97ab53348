import ArgumentParser
import MoCore
import MoMu
import MoRuntime

/// `momu osc record`: records the received messages on a tape.
struct RecordCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "record", abstract: "Record the messages that arrive (Docs/Tapes.md).",
    discussion: """
      The tape holds each message at the time of its arrival, or at its bundle's time tag if that is later. A message \
      to \(TapeRecorder.senderAddress) names the sender whenever the sender changes. An earlier tape FILE is renamed to FILE-1. \
      Ctrl-C ends the recording.
      """)

  @OptionGroup var options: ListenOptions

  @Argument(help: ArgumentHelp("The tape to create or replace.", valueName: "FILE"))
  var file: String

  func run() throws {
    let stop = StopWait()
    let listening = try ListenSession(options, pattern: ListenSession.everything)
    var recorder = try TapeRecorder(path: file)
    let inbox = MessageInbox(count: options.count)
    listening.start { inbox.put($0) }
    var flushed = SystemClock().now
    while !stop.wait(until: SystemClock().now + .milliseconds(50)) {
      try recorder.write(inbox.takeAll())
      if SystemClock().now - flushed > .seconds(1) {
        try recorder.flush()
        flushed = SystemClock().now
      }
    }
    listening.finish(received: inbox.taken)
    try recorder.write(inbox.takeAll())
    try recorder.close()
    if inbox.lost > 0 {
      printDiagnostic("\(counted(inbox.lost, "message")) lost: the disk was too slow")
    }
  }
}

/// A queue of messages from the network thread to the thread that writes to the disk.
final class MessageInbox: Sendable {
  private struct State {
    var waiting: [NetMessage] = []
    var taken = 0
    var lost = 0
  }

  /// The maximum number of messages in the queue, enough for 13 seconds at 5,000 messages a second.
  private static let capacity = 65_536

  private let count: Int
  private let state = Locked(State())

  /// - Parameter count: the number of messages after which the queue accepts no more and the command ends; nil for no
  ///   limit.
  init(count: Int?) { self.count = count ?? .max }

  /// The number of messages accepted.
  var taken: Int { state.withLock { $0.taken } }
  /// The number of messages dropped because the queue was full.
  var lost: Int { state.withLock { $0.lost } }

  func put(_ message: NetMessage) {
    state.withLock { state in
      guard state.taken < count else { return }
      guard state.waiting.count < Self.capacity else {
        state.lost += 1
        return
      }
      state.waiting.append(message)
      state.taken += 1
      if state.taken == count { StopWait.end() }
    }
  }

  func takeAll() -> [NetMessage] {
    state.withLock { state in
      defer { state.waiting = [] }
      return state.waiting
    }
  }
}
