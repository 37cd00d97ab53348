import MoCore
import MoMu
import MoSessionCore

/// Reads a session's tape: what happened, entry by entry, in the order of its times.
///
/// What stands on a tape beside the session (a sensor's readings, another program's messages) is passed over.
///
/// - Thread: one at a time; it reads from disk.
package final class SessionTapeReader {
  /// The file's path, as given.
  package var path: String { tape.path }
  /// What made the tape, by its header; nil without one.
  package var madeBy: String? { tape.madeBy }
  /// When it was recorded: nanoseconds since 1970 by the calendar of who recorded.
  package var startNanosecondsSince1970: Int64 { tape.start.nanosecondsSince1970 }
  /// What is wrong with a tape that plays none the less; nil until `next()` has come to it.
  package var warning: String? { tape.warning }
  /// How many messages were none of a session's.
  package private(set) var others = 0
  /// How many of a session's messages said what cannot be.
  package private(set) var broken = 0
  /// The first of those, in words.
  package private(set) var firstBroken: SessionTapeError?

  private let tape: OSCTapeReader
  private var first: SessionTapeEntry?

  /// Opens a tape, and looks whether a session is on it.
  ///
  /// - Throws: `SessionTapeError.tape`, `noSession`.
  package init(path: String) throws(SessionTapeError) {
    do throws(OSCTapeError) { tape = try OSCTapeReader(path: path) } catch { throw .tape(error) }
    first = try read()
    guard first != nil else { throw .noSession(path: path, madeBy: tape.madeBy) }
  }

  /// The next entry, its times from the tape's start; nil at the end.
  ///
  /// - Throws: `SessionTapeError.tape` where the tape is damaged, once; nil from then on.
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
