import MoCore
import MoMu
import MoOSC
import MoRuntime

/// Writes messages to a tape.
struct TapeRecorder {
  /// The OSC address of the messages with which the tape names the sender of the messages that follow.
  ///
  /// The argument of such a message is the sender's address and port, for example `192.168.0.7:57120`.
  static let senderAddress = "/momu/sender"

  private let tape: OSCTapeWriter
  private let start: HostTime
  private var sender = ""

  /// - Throws: `OSCTapeError`, or `ToolError` if the file cannot be created.
  init(path: String) throws {
    let clock = SystemClock()
    start = clock.now
    if let kept = WholeFile.keepEarlier(path) {
      printDiagnostic("\(path) existed: the earlier recording is now \(kept)".printable)
    }
    do throws(OSCTapeError) {
      tape = try OSCTapeWriter(
        path: path, startNanosecondsSince1970: clock.wallClock(of: start), madeBy: "momu osc record")
    } catch { throw ToolError.explaining(error) }
  }

  /// Writes messages to the tape; a message that a tape cannot hold, such as a too long message, is reported and left
  /// out.
  ///
  /// - Throws: `OSCTapeError.stopped`.
  mutating func write(_ messages: [NetMessage]) throws {
    for message in messages {
      // A bundle for the future counts at its time tag, and a late bundle at its arrival.
      let moment = max(message.arrival, message.time).nanoseconds - start.nanoseconds
      do throws(OSCTapeError) {
        let name = "\(message.sender)"
        if name != sender {
          try tape.write(OSCMessage(Self.senderAddress, [.string(name)]), atNanoseconds: moment)
          sender = name
        }
        try tape.write(OSCMessage(message.address, message.arguments), atNanoseconds: moment)
      } catch .unsendable(_, let error) {
        printDiagnostic("a message for \(message.address.printable) is not on the tape: \(error)")
      }
    }
  }

  /// Writes buffered data to the disk.
  func flush() throws { try tape.flush() }

  func close() throws { try tape.close() }
}
