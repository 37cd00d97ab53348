import MoMu
import MoSessionCore

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
