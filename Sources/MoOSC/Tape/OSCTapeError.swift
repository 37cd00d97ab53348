import Glibc

/// Why a tape could not be read or written; the text says what happened and what to do.
public enum OSCTapeError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The file could not be opened for reading.
  case unreadable(path: String, reason: String)
  /// The file holds nothing that could be played.
  case notATape(path: String, reason: String)
  /// The tape says that it is of another version than this program knows.
  case wrongVersion(path: String, version: Int)
  /// From `byte` on the tape makes no sense; it was played up to `nanoseconds`.
  case damaged(path: String, byte: Int, reason: String, nanoseconds: Int64)
  /// The file could not be made.
  case uncreatable(path: String, reason: String)
  /// Recording stopped, as on a full disk; what was recorded up to `nanoseconds` is kept.
  case stopped(path: String, reason: String, nanoseconds: Int64)
  /// This one message cannot be put on a tape; recording goes on.
  case unsendable(path: String, OSCError)

  /// What happened, and what to do.
  public var description: String { text(recordedBy: "--record-tape") }

  /// The same for who records tapes in another way.
  ///
  /// - Parameter recorder: what is typed before the name of a tape to record, such as `momu osc record`.
  package func text(recordedBy recorder: String) -> String {
    switch self {
    case .unreadable(let path, let reason):
      "cannot read the tape \(path): \(reason); check the path, or record one with \(recorder) \(path)"
    case .notATape(let path, let reason):
      "\(path) is not a tape: \(reason); record one with \(recorder), or write one as Docs/Tapes.md says"
    case .wrongVersion(let path, let version):
      "\(path) is a tape of version \(version) and this program reads version \(OSCTape.version): update it"
    case .damaged(let path, let byte, let reason, let nanoseconds):
      "\(path) is damaged at byte \(byte): \(reason); it plays up to \(seconds(nanoseconds)) s, "
        + "and to keep only that: truncate -s \(byte) '\(path)'"
    case .uncreatable(let path, let reason):
      "cannot record to \(path): \(reason); choose another with \(recorder) PATH"
    case .stopped(let path, let reason, let nanoseconds):
      "recording to \(path) stopped: \(reason); it plays up to \(seconds(nanoseconds)) s"
    case .unsendable(let path, let error):
      "a message was left out of the tape \(path), for it \(error)"
    }
  }
}

/// Seconds to a millisecond, for people.
func seconds(_ nanoseconds: Int64) -> String {
  let milliseconds = (nanoseconds / 1_000_000).magnitude
  let rest = String(milliseconds % 1000)
  let sign = nanoseconds <= -1_000_000 ? "-" : ""
  return "\(sign)\(milliseconds / 1000)." + String(repeating: "0", count: 3 - rest.count) + rest
}

/// The system's own words for the last error.
func systemReason() -> String { String(cString: strerror(errno)) }
