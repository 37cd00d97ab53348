import ArgumentParser
import MIDICore
import MoCore
import MoMIDI
import MoMu
import MoRuntime
import Synchronization

/// `momu midi listen`: prints each message that arrives, on a line.
struct MIDIListenCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "listen", abstract: "Show what arrives: time, port, channel, message.",
    discussion: """
      The time is that of the kernel's stamp, in seconds from the start. Clock and active sensing are left out but with \
      --all. Ctrl-C ends it.
      """)

  @Flag(help: "Print one JSON object a line.")
  var json = false

  @Flag(help: "Also show clock and active sensing.")
  var all = false

  @Option(help: ArgumentHelp("Stop after this many messages.", valueName: "N"), transform: readCount)
  var count: Int?

  // `--channel` has another text than `--midi-channel`, since this command sends nothing.
  @Option(help: ArgumentHelp("Only this channel, 1 to 16.", valueName: "N"))
  var channel: String?

  @Argument(
    help: ArgumentHelp("A port's name, tape:FILE, file:SONG.mid, sim:scale, or all.", valueName: "SOURCE"))
  var source = "all"

  func run() throws {
    let stop = StopWait()
    let run = try MIDICommand.begin(["--midi=\(source)"] + (channel.map { ["--midi-channel=\($0)"] } ?? []))
    let printer = MIDIPrinter(json: json, all: all, count: count, start: run.clock.now)
    // Before the start: otherwise a file's first messages could be played before the callback exists.
    _ = MIDIServer.shared.onEvent { printer.printMessage($0) }
    _ = MIDIServer.shared.onSysEx { printer.printMessage($0) }
    try MoMIDI.start()
    _ = stop.wait()
    printer.close()
    let dropped = MIDIServer.shared.droppedSysEx
    MoMIDI.stop()
    printDiagnostic(counted(printer.received, "message"))
    MIDICommand.reportDroppedSysEx(dropped)
  }
}

/// Writes a line for each MIDI message to standard output; after a given number of messages, ends the command.
///
/// - Thread: `printMessage` on the MIDI thread.
final class MIDIPrinter: Sendable {
  private struct State {
    var received = 0
  }

  private let json: Bool
  private let all: Bool
  private let count: Int
  private let start: HostTime
  private let state = Locked(State())
  /// Whether messages are still printed.
  ///
  /// This value is outside `state`, since `printMessage` holds the lock of `state` while it waits for a slow reader.
  private let isOpen = Atomic<Bool>(true)

  init(json: Bool, all: Bool, count: Int?, start: HostTime) {
    (self.json, self.all, self.count, self.start) = (json, all, count ?? .max, start)
  }

  var received: Int { state.withLock { $0.received } }

  /// Ends the printing, also if the reader of the output accepts nothing; later messages are ignored.
  func close() { isOpen.store(false, ordering: .releasing) }

  /// Ends the printing, and the command if it has not been asked to end already.
  private func end() { if isOpen.exchange(false, ordering: .acquiringAndReleasing) { StopWait.end() } }

  private func print(_ line: String) -> Bool {
    show(line + "\n", while: { self.isOpen.load(ordering: .acquiring) })
  }

  func printMessage(_ event: MIDIEvent) {
    guard all || event.message != .clock && event.message != .activeSensing else { return }
    let bytes = event.message.bytes
    let list = [bytes.status, bytes.first, bytes.second].prefix(bytes.count)
    put(event.time, event.port, event.channel, MIDIWords.text(event.message), Array(list))
  }

  func printMessage(_ message: MIDISysEx) {
    let hex = message.bytes.map { Self.hex($0) }.joined(separator: " ")
    put(message.time, message.port, 0, "sysex \(hex)", message.bytes)
  }

  private static func hex(_ byte: UInt8) -> String {
    let digits = String(byte, radix: 16, uppercase: true)
    return digits.count < 2 ? "0\(digits)" : digits
  }

  private func put(_ time: HostTime, _ port: String, _ channel: Int, _ words: String, _ bytes: [UInt8]) {
    state.withLock { state in
      guard isOpen.load(ordering: .acquiring) else { return }
      state.received += 1
      let seconds = time.seconds(since: start)
      let line =
        json
        ? JSONValue.object([
          ("time", .number(seconds)), ("port", .text(port)),
          ("channel", channel > 0 ? .integer(Int64(channel)) : .null),
          ("message", .text(words)), ("bytes", .list(bytes.map { .integer(Int64($0)) })),
        ]).description
        : "\(rounded(seconds))  \(port.printable)  \(channel > 0 ? "channel \(channel)  " : "")\(words)"
      if !print(line) || state.received >= count { end() }
    }
  }
}
