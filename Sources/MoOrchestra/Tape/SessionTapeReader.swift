import MoCore
import MoMu
import MoSessionCore

/// Reads a session's tape: its events, entry by entry, in order of time.
///
/// It skips other messages on the tape, such as a sensor's readings or another program's messages.
///
/// - Thread: any, but one at a time; it reads from disk.
package final class SessionTapeReader {
  /// The file's path, as given.
  package var path: String { tape.path }
  /// The name of the program that made the tape, as the tape's header gives it; nil if the header has none.
  package var madeBy: String? { tape.madeBy }
  /// The start of the recording: nanoseconds since 1970 by the recording machine's wall clock.
  package var startNanosecondsSince1970: Int64 { tape.start.nanosecondsSince1970 }
  /// The warning that the tape was cut off, such as by a power cut; nil until `next()` has reached the cut.
  ///
  /// `next()` returns the complete entries before the cut.
  package var warning: String? { tape.warning }
  /// The number of messages on the tape so far that belong to no session, such as a sensor's readings.
  package private(set) var others = 0
  /// The number of session messages on the tape so far that have invalid values.
  package private(set) var broken = 0
  /// The error for the first message with invalid values; nil if there was none.
  package private(set) var firstBroken: SessionTapeError?

  private let tape: OSCTapeReader
  private var first: SessionTapeEntry?

  /// Opens a tape, and checks that it has a session.
  ///
  /// - Throws: `SessionTapeError.tape`, `noSession`.
  package init(path: String) throws(SessionTapeError) {
    do throws(OSCTapeError) { tape = try OSCTapeReader(path: path) } catch { throw .tape(error) }
    first = try read()
    guard first != nil else { throw .noSession(path: path, madeBy: tape.madeBy) }
  }

  /// Returns the next entry, with times from the tape's start; nil at the end.
  ///
  /// - Throws: `SessionTapeError.tape` if the tape is damaged or cannot be read; later calls return nil.
  package func next() throws(SessionTapeError) -> SessionTapeEntry? {
    if let entry = first {
      first = nil
      return entry
    }
    return try read()
  }

  private func read() throws(SessionTapeError) -> SessionTapeEntry? {
    while true {
      let reading: OSCTapeReading?
      do throws(OSCTapeError) { reading = try tape.next() } catch { throw .tape(error) }
      guard let reading else { return nil }
      do throws(SessionTapeError) {
        if let entry = try SessionTapeEntry(reading.message, atNanoseconds: reading.nanoseconds) {
          return entry
        }
        others += 1
      } catch {
        broken += 1
        if firstBroken == nil { firstBroken = error }
      }
    }
  }
}

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
      "\(path) is a tape\(maker.map { " of \"\(SessionIdentity.sanitized($0))\"" } ?? ""), but no session is on it: movement is "
        + "played by --accel tape:\(path), messages by momu osc replay; to record a session: momu session --record FILE"
    case .broken(let address, let nanoseconds):
      "at \(nanoseconds / 1_000_000_000) s \(address) has other values than Docs/Tapes.md says: another program wrote it, or "
        + "another release of this one"
    }
  }
}
