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

/// Recording a tape: everything received and sent, with the session's beat.
extension MoSession {
  /// Starts a tape of everything that this member receives and sends, until `stopRecording` or the program's end.
  ///
  /// ```swift
  /// try MoSession.record(to: "evening.osc")
  /// try MoSession.join(room: "Lab")
  /// ```
  ///
  /// The tape has the plays that this member receives and sends, and shared settings. It also has the members
  /// that come and go, the changes of the rhythm, and the gates, each with its time. `Docs/Tapes.md` describes
  /// the format; `momu session replay` plays the tape back. The session never waits for the disk, and a power
  /// failure loses the last second.
  ///
  /// - Parameter path: the file of the tape. An earlier file with this name is renamed, such as to `evening-1.osc`; an
  ///   offline run replaces it.
  /// - Throws: `SessionError.uncreatable`, `tape`, `thread`.
  /// - Thread: any but the audio callback.
  public static func record(to path: String) throws { try SessionServer.shared.record(to: path) }

  /// Completes the tape; does nothing if no tape is recorded.
  ///
  /// - Thread: any but the audio callback; it waits for the disk.
  public static func stopRecording() { SessionServer.shared.stopRecording() }
}

extension SessionServer {
  /// Starts a new tape of this member's session, and completes the previous tape.
  ///
  /// - Throws: `SessionError.uncreatable`, `tape`, `thread`.
  package func record(to path: String, in run: Run = .current) throws(SessionError) {
    stopRecording()
    let made = try SessionRecorder(path: path, in: run)
    lock.withLock {
      recorder = made
      core?.isRecorded = true
    }
    run.atEnd { [weak self] in self?.stopRecording() }
  }

  /// Completes the tape; does nothing if none is recorded.
  package func stopRecording() {
    let recorder = lock.withLock { () -> SessionRecorder? in
      keepTape()
      core?.isRecorded = false
      defer { self.recorder = nil }
      return self.recorder
    }
    recorder?.close()
  }
}
