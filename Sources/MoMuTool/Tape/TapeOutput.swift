import Glibc
import MoOSC
import MoRuntime

/// A tape that is being made of others: written beside its place, and put there when it is whole.
///
/// So whatever goes wrong, the file that was there is as it was; it may even be one of those that are read. Ctrl-C leaves
/// nothing of the unfinished one.
///
/// - Thread: made on the main thread before any other thread is.
final class TapeOutput {
  private let path: String
  /// Where a link leads.
  private let real: String
  private let beside: String
  private let tape: OSCTapeWriter
  private var sender: String?
  private var isDone = false
  private(set) var messages = 0
  /// Of the last message, in nanoseconds.
  private(set) var latest: Int64 = 0

  /// - Throws: `ToolError` where it cannot be made, `MoThread.Failure`.
  init(path: String, startNanosecondsSince1970 start: Int64, madeBy: String) throws {
    self.path = path
    real = WholeFile.linked(path)
    var status = stat()
    if stat(real, &status) == 0, status.st_mode & S_IFMT != S_IFREG { throw ToolError.noFile(path: path) }
    beside = WholeFile.beside(real)
    try UnfinishedFile.removeWhenEnded(beside)
    do throws(OSCTapeError) {
      tape = try OSCTapeWriter(
        path: beside, startNanosecondsSince1970: start, madeBy: madeBy, survivesPowerCut: false)
    } catch {
      unlink(beside)
      switch error {
      case .uncreatable(_, let reason): throw ToolError.cannotRecord(path: path, reason: reason)
      case .stopped(_, let reason, _): throw ToolError.cannotWrite(path: path, reason: reason)
      default: throw error
      }
    }
  }

  deinit { if !isDone { unlink(beside) } }

  /// Puts on what stood on another tape; who sent it stands before it where that changes.
  ///
  /// - Throws: `ToolError.cannotWrite`.
  func write(_ entry: SentPacket, atNanoseconds nanoseconds: Int64) throws {
    if entry.sender != sender {
      sender = entry.sender
      // Nobody is said to have sent what nobody knows who sent.
      try put(.message(OSCMessage(TapeRecorder.senderAddress, [.string(entry.sender ?? "")])), nanoseconds)
    }
    try put(entry.packet, nanoseconds)
    messages += 1
    latest = max(latest, nanoseconds)
  }

  private func put(_ packet: OSCPacket, _ nanoseconds: Int64) throws {
    do throws(OSCTapeError) {
      try tape.write(packet, atNanoseconds: nanoseconds)
    } catch {
      throw explained(error)
    }
  }

  private func explained(_ error: OSCTapeError) -> any Error {
    guard case .stopped(_, let reason, _) = error else { return error }
    return ToolError.cannotWrite(path: path, reason: reason)
  }

  /// Completes the tape and puts it in its place.
  ///
  /// - Throws: `ToolError.cannotWrite`.
  func finish() throws {
    do throws(OSCTapeError) { try tape.close() } catch { throw explained(error) }
    // On the disk before it bears the name: else a loss of power could leave an empty file by it.
    let file = open(beside, O_RDONLY | O_CLOEXEC)
    let isKept = file >= 0 && fsync(file) == 0
    if file >= 0 { close(file) }
    guard isKept, rename(beside, real) == 0 else {
      throw ToolError.cannotWrite(path: path, reason: String(cString: strerror(errno)))
    }
    isDone = true
    complain("\(path): \(counted(messages, "message")), \(tapeSeconds(latest))")
  }
}
