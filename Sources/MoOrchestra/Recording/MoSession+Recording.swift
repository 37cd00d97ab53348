import MoMu
import MoSessionCore

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
