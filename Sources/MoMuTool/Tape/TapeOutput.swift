import Glibc
import MoMu
import MoOSC
import MoRuntime

/// A new tape made from other tapes: its packets are written to a temporary file, which is renamed when it is complete.
///
/// If anything fails, a file that already exists at the path stays unchanged. This file may even be one of the tapes
/// that are read. Ctrl-C removes the temporary file.
///
/// - Thread: create this object on the main thread before any other thread starts.
final class TapeOutput {
  private let path: String
  /// The path of the tape; if a symbolic link is at this path, the target of the link.
  private let real: String
  private let beside: String
  private let tape: OSCTapeWriter
  private var sender: String?
  private var isDone = false
  private(set) var messages = 0
  /// The time of the last packet, in nanoseconds from the start of the new tape.
  private(set) var latest: Int64 = 0

  /// - Throws: `ToolError` if the file cannot be created, `MoThread.Failure` if no thread can be started.
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

  /// Writes a packet of another tape; if its sender differs from the previous packet's sender, first writes a message
  /// that names the sender.
  ///
  /// - Throws: `ToolError.cannotWrite`.
  func write(_ entry: SentPacket, atNanoseconds nanoseconds: Int64) throws {
    if entry.sender != sender {
      sender = entry.sender
      // An unknown sender is an empty name.
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

  /// Completes the tape, renames the temporary file to the tape's path, and prints the number of messages.
  ///
  /// - Throws: `ToolError.cannotWrite`.
  func finish() throws {
    do throws(OSCTapeError) { try tape.close() } catch { throw explained(error) }
    // Sync before the rename: otherwise a power cut could leave an empty file with that name.
    let file = open(beside, O_RDONLY | O_CLOEXEC)
    let isKept = file >= 0 && fsync(file) == 0
    if file >= 0 { close(file) }
    guard isKept, rename(beside, real) == 0 else {
      throw ToolError.cannotWrite(path: path, reason: String(cString: strerror(errno)))
    }
    isDone = true
    printDiagnostic("\(path): \(counted(messages, "message")), \(tapeSeconds(latest))")
  }
}

/// Removes an unfinished file if a signal ends the program.
enum UnfinishedFile {
  /// Makes SIGINT (Ctrl-C), SIGTERM and SIGHUP remove the file; afterwards, the program ends by the signal as usual.
  ///
  /// - Thread: call this function on the main thread before any other thread starts, since other threads must inherit
  ///   the signal mask that blocks these signals. From then on, a new thread waits for these signals and ends the
  ///   program.
  /// - Throws: `MoThread.Failure`.
  static func removeWhenEnded(_ path: String) throws(MoThread.Failure) {
    var signals = sigset_t()
    sigemptyset(&signals)
    // An ignored signal could not end the program below.
    for number in EndSignals.all where !EndSignals.isIgnored(number) { sigaddset(&signals, number) }
    pthread_sigmask(SIG_BLOCK, &signals, nil)
    let wanted = signals
    _ = try MoThread(name: "mo-signals") { _ in
      var signals = wanted
      var number: Int32 = 0
      while sigwait(&signals, &number) != 0 {}
      unlink(path)
      // Raise the signal unblocked, so that the parent process sees how the program ended.
      pthread_sigmask(SIG_UNBLOCK, &signals, nil)
      raise(number)
    }
  }
}
