import MoMu
import MoSessionCore

/// Keeping what happens: everything heard and sent, with the session's beat.
extension MoSession {
  /// Records from now on everything that is heard and sent here, until `stopRecording` or the program's end.
  ///
  /// ```swift
  /// try MoSession.record(to: "evening.osc")
  /// try MoSession.join(room: "Lab")
  /// ```
  ///
  /// What others play for us, what we play, what is shared, who comes and goes, the rhythm's course and the gates, each at
  /// its moment. It is a tape as `Docs/Tapes.md` describes it: `momu session replay` plays it back. The session never
  /// waits for the disk, and a loss of power costs the last second.
  ///
  /// - Parameter path: the file; one that is there is replaced.
  /// - Throws: `SessionError.uncreatable`, `tape`, `thread`.
  /// - Thread: any but the audio callback.
  public static func record(to path: String) throws { try SessionServer.shared.record(to: path) }

  /// Completes the tape; nothing where none is recorded.
  ///
  /// - Thread: any but the audio callback; it waits for the disk.
  public static func stopRecording() { SessionServer.shared.stopRecording() }
}
