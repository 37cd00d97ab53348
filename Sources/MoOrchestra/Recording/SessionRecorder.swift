import Glibc
import MoCore
import MoMu
import MoSessionCore

/// Writes the events of a session to a tape: on the thread `mo-disk`, or immediately in an offline run.
///
/// - Thread: `add` any; it waits for the disk only in an offline run. All other functions: any, but one at a time.
package final class SessionRecorder: Sendable {
  /// The file's path, as given.
  package let path: String
  private let start: HostTime
  private let queue: TapeQueue
  private let thread = Locked<MoThread?>(nil)
  private let isDriven: Bool

  /// The time between writes to the disk.
  private static let pause = Duration.milliseconds(100)

  /// Creates the file; an earlier recording with this name is renamed, or replaced in an offline run.
  ///
  /// - Throws: `SessionError.uncreatable`, `tape`, `thread`.
  package init(path: String, in run: Run = .current) throws(SessionError) {
    self.path = path
    // Opening a pipe waits for its reader, and writing waits until it is read.
    guard !Self.isPipe(path) else { throw .uncreatable(path, "it is a pipe, and a tape is a file") }
    if !run.isOffline { Self.keepEarlier(path) }
    let start = run.clock.now
    (self.start, isDriven) = (start, run.isOffline)
    do throws(OSCTapeError) {
      // Counted time has no date, so that the same run gives the same tape.
      let tape = try OSCTapeWriter(
        path: path, startNanosecondsSince1970: run.isOffline ? 0 : SystemClock().wallClock(of: start),
        madeBy: "MoMu, a session", survivesPowerCut: !run.isOffline)
      queue = TapeQueue(tape, start: start) { MoLog.log(.warning, $0) }
    } catch {
      if case .uncreatable(let path, let reason) = error { throw .uncreatable(path, reason) }
      throw .tape(error.description)
    }
    guard !isDriven else { return }
    do throws(MoThread.Failure) {
      let made = try MoThread(name: "mo-disk") { [queue, clock = run.clock] thread in
        while !thread.isCancelled {
          queue.write(until: clock.now)
          thread.sleep(for: Self.pause)
        }
        queue.close()
      }
      thread.withLock { $0 = made }
    } catch {
      throw .thread(error.description)
    }
  }

  private static func keepEarlier(_ path: String) {
    guard let kept = WholeFile.keepEarlier(path) else { return }
    MoLog.log(.notice, "\(path) existed: the earlier recording is now \(kept)".printable)
  }

  private static func isPipe(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFIFO
  }

  /// Adds entries to the queue that the thread `mo-disk` writes; in an offline run, writes them immediately.
  package func add(_ entries: [SessionTapeEntry]) {
    for entry in entries {
      let message = entry.message(from: start)
      if isDriven { queue.write(message, at: entry.time) } else { queue.add(message, at: entry.time) }
    }
  }

  /// Writes the queued entries and completes the file; a second call does nothing.
  package func close() {
    if isDriven {
      queue.close()
    } else {
      let thread = thread.withLock { thread in
        defer { thread = nil }
        return thread
      }
      guard let thread else { return }
      thread.cancel()
      thread.join()
    }
    let lost = queue.lost
    if lost > 0 {
      MoLog.log(
        .warning,
        "\(lost) messages are not on the tape \(path): the disk took too long; record to a faster one")
    }
  }
}
