import Glibc

/// The constants of all tapes; Docs/Tapes.md describes the format.
public enum OSCTape {
  /// The version of the tape format that this package writes and reads.
  public static let version = 1

  /// The address of the header, the first message on a tape.
  ///
  /// The types of the header are `,is`: the version of the format, and the program that recorded the tape.
  public static let headerAddress = "/momu/tape"
}

/// A message on a tape, and its time.
public struct OSCTapeReading: Hashable, Sendable {
  /// The nanoseconds since the tape's start.
  public var nanoseconds: Int64
  /// The recorded message.
  public var message: OSCMessage

  /// Creates a reading from its time, in nanoseconds since the tape's start.
  public init(nanoseconds: Int64, message: OSCMessage) {
    self.nanoseconds = nanoseconds
    self.message = message
  }
}

/// A packet on a tape, and its time: a message, or a bundle with its own time tag.
public struct OSCTapePacket: Hashable, Sendable {
  /// The nanoseconds since the tape's start.
  public var nanoseconds: Int64
  /// The recorded packet.
  public var packet: OSCPacket
}

/// An error of a tape that could not be read or written; the text says what happened and what to do.
public enum OSCTapeError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The file could not be opened, read or rewound.
  case unreadable(path: String, reason: String)
  /// The file contains nothing that can be played.
  case notATape(path: String, reason: String)
  /// The tape has a version of the format that this program does not support.
  case wrongVersion(path: String, version: Int)
  /// The tape is invalid from `byte` on; it was played up to `nanoseconds` after its start.
  case damaged(path: String, byte: Int, reason: String, nanoseconds: Int64)
  /// The file could not be created.
  case uncreatable(path: String, reason: String)
  /// Recording stopped, such as on a full disk; the tape is kept up to `nanoseconds` after its start.
  case stopped(path: String, reason: String, nanoseconds: Int64)
  /// A message could not be written to the tape; recording continues.
  case unsendable(path: String, OSCError)

  /// The error message: what happened, and what to do.
  public var description: String { text(recordedBy: "--record-tape") }

  /// Returns the error message for a program that records tapes with a command other than `--record-tape`.
  ///
  /// - Parameter recorder: the command before the name of a tape to record, such as `momu osc record`.
  package func text(recordedBy recorder: String) -> String {
    switch self {
    case .unreadable(let path, let reason):
      "cannot read the tape \(path): \(reason); check the path, or record one with \(recorder) \(path)"
    case .notATape(let path, let reason):
      "\(path) is not a tape: \(reason); record one with \(recorder), or write one as Docs/Tapes.md says"
    case .wrongVersion(let path, let version):
      "\(path) is a tape of version \(version), but this program reads version \(OSCTape.version): update the program"
    case .damaged(let path, let byte, let reason, let nanoseconds):
      "\(path) is damaged at byte \(byte): \(reason); it plays up to \(seconds(nanoseconds)) s, "
        + "and to keep only that: truncate -s \(byte) '\(path)'"
    case .uncreatable(let path, let reason):
      "cannot record to \(path): \(reason); choose another with \(recorder) PATH"
    case .stopped(let path, let reason, let nanoseconds):
      "recording to \(path) stopped: \(reason); it plays up to \(seconds(nanoseconds)) s"
    case .unsendable(let path, let error):
      "a message is not on the tape \(path): \(error)"
    }
  }
}

/// Returns a time as text in seconds, with three decimals, such as `1.250`.
func seconds(_ nanoseconds: Int64) -> String {
  let milliseconds = (nanoseconds / 1_000_000).magnitude
  let rest = String(milliseconds % 1000)
  let sign = nanoseconds <= -1_000_000 ? "-" : ""
  return "\(sign)\(milliseconds / 1000)." + String(repeating: "0", count: 3 - rest.count) + rest
}

/// Returns the system's description of `errno`.
func systemReason() -> String { String(cString: strerror(errno)) }
