import MoCore
import MoMu
import MoOSC
import MoRuntime

/// Messages on their way from the network's thread to the one that may wait for the disk.
final class MessageInbox: Sendable {
  private struct State {
    var waiting: [NetMessage] = []
    var taken = 0
    var lost = 0
  }

  /// What a disk may keep waiting: over ten seconds at 5,000 messages a second.
  private static let capacity = 65_536

  private let count: Int
  private let state = Locked(State())

  /// - Parameter count: after so many messages no more are taken, and the wait is ended.
  init(count: Int?) { self.count = count ?? .max }

  /// How many were taken in, and how many there was no room for.
  var taken: Int { state.withLock { $0.taken } }
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

/// Puts messages onto a tape.
struct TapeRecorder {
  /// Who sent what stands behind it on the tape, as text: `192.168.0.7:57120`.
  static let senderAddress = "/momu/sender"

  private let tape: OSCTapeWriter
  private let start: HostTime
  private var sender = ""

  /// - Throws: `OSCTapeError`, or `ToolError` where the file cannot be made.
  init(path: String) throws {
    let clock = SystemClock()
    start = clock.now
    do throws(OSCTapeError) {
      tape = try OSCTapeWriter(
        path: path, startNanosecondsSince1970: clock.wallClock(of: start), madeBy: "momu osc record")
    } catch { throw ToolError.explaining(error) }
  }

  /// Writes what came; what is too long for a tape is told of and left out.
  ///
  /// - Throws: `OSCTapeError.stopped`.
  mutating func write(_ messages: [NetMessage]) throws {
    for message in messages {
      // A bundle for the future arrives before it means anything; one that is late does not run backwards.
      let moment = max(message.arrival, message.time).nanoseconds - start.nanoseconds
      do throws(OSCTapeError) {
        let name = "\(message.sender)"
        if name != sender {
          try tape.write(OSCMessage(Self.senderAddress, [.string(name)]), atNanoseconds: moment)
          sender = name
        }
        try tape.write(OSCMessage(message.address, message.arguments), atNanoseconds: moment)
      } catch .unsendable(_, let error) {
        complain("a message for \(message.address.printable) is not on the tape: \(error)")
      }
    }
  }

  /// Puts on the disk what has been written.
  func flush() throws { try tape.flush() }

  func close() throws { try tape.close() }
}
