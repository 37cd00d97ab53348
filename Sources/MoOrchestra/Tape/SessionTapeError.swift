import MoMu
import MoSessionCore

/// The reason why a session's tape could not be read; the text says what happened and what to do.
package enum SessionTapeError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The tape itself cannot be read, or is damaged.
  case tape(OSCTapeError)
  /// The tape contains no session; `madeBy` is the program that the tape names as its maker.
  case noSession(path: String, madeBy: String?)
  /// A message of the session has invalid values, because another program or another release of MoMu wrote it;
  /// `nanoseconds` is the message's time from the tape's start.
  case broken(address: String, nanoseconds: Int64)

  /// The error text: what happened and what to do.
  package var description: String {
    switch self {
    case .tape(.unreadable(let path, let reason)):
      "cannot read the tape \(path): \(reason); to record a session: momu session --record \(path)"
    case .tape(.notATape(let path, let reason)):
      "\(path) is not a tape: \(reason); to record a session: momu session --record FILE"
    case .tape(let error): error.description
    case .noSession(let path, let maker):
      "\(path) is a tape\(maker.map { " of \"\(SessionIdentity.tidy($0))\"" } ?? ""), but no session is on it: movement is "
        + "played by --accel tape:\(path), messages by momu osc replay; to record a session: momu session --record FILE"
    case .broken(let address, let nanoseconds):
      "at \(nanoseconds / 1_000_000_000) s \(address) has other values than Docs/Tapes.md says: another program wrote it, or "
        + "another release of this one"
    }
  }
}
