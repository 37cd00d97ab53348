import ArgumentParser
import MoCore
import MoMu
import MoOSC

/// `momu osc replay`: sends the messages of a tape with their timing.
struct ReplayCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "replay", abstract: "Send the messages of a tape with their timing.",
    discussion: "The tape's header and its lines about senders are not sent. Ctrl-C ends the command.")

  @Option(
    help: ArgumentHelp("Speed: 2 is twice as fast, 0.5 half as fast.", valueName: "FACTOR"),
    transform: readSpeed)
  var speed = 1.0

  @Argument(help: ArgumentHelp("The tape.", valueName: "FILE"))
  var file: String

  @Argument(help: ArgumentHelp("The receiver of the messages.", valueName: "HOST:PORT"))
  var target: String

  func run() throws {
    let stop = StopWait()
    let tape = try openTape(file)
    let start = SystemClock().now
    var sent = 0
    var latest: Int64 = 0
    defer {
      printDiagnostic("\(counted(sent, "message")) sent, \(rounded(Double(latest) * 1e-9)) s of the tape")
      MoNet.stop()
    }
    while let reading = try tape.next() {
      guard reading.message.address != TapeRecorder.senderAddress else { continue }
      if stop.wait(until: Self.due(reading.nanoseconds, from: start, speed: speed)) { return }
      latest = reading.nanoseconds
      try MoNet.send(.message(reading.message), to: target)
      sent += 1
    }
    if let warning = tape.warning { printDiagnostic(warning) }
  }
}

extension ReplayCommand {
  /// Returns the time at which a message of the tape must be sent.
  ///
  /// - Parameters:
  ///   - nanoseconds: the message's time on the tape.
  ///   - start: the time at which the replay began.
  ///   - speed: the factor of the speed; 2 is twice as fast.
  static func due(_ nanoseconds: Int64, from start: HostTime, speed: Double) -> HostTime {
    start.advanced(bySeconds: Double(nanoseconds) * 1e-9 / speed)
  }
}

/// Parses a factor of the speed, above 0 and at most 1,000,000.
@Sendable
private func readSpeed(_ text: String) throws -> Double {
  guard let number = Double(text), number.isFinite, number > 0, number <= 1e6 else {
    throw ValidationError("must be a number above 0, such as 2 or 0.5")
  }
  return number
}
