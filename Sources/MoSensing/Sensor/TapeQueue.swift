import MoCore
import MoOSC

/// A queue of readings for a tape: they are written in order of time, and are on the disk after about a second.
///
/// - Thread: `add` on any thread; all other functions on a single thread: the disk thread, or the renderer's thread if
///   the run is offline.
package final class TapeQueue: @unchecked Sendable {
  // Unchecked: `tape` and `flushed` belong to the thread that writes.
  private let tape: OSCTapeWriter
  private let start: HostTime
  private let report: @Sendable (String) -> Void
  private let pending = Locked<[Entry]>([])
  private let refused = Locked(0)
  private var flushed: HostTime

  private struct Entry: Sendable {
    var nanoseconds: Int64
    var message: OSCMessage
  }

  /// The largest number of messages that wait for the disk.
  package static let room = 65_536
  /// The time in nanoseconds from a message's time stamp until the queue writes the message to the tape.
  ///
  /// The delay from time stamp to arrival differs from sensor to sensor. Messages that arrive within this time are
  /// nevertheless in the order of their time stamps on the tape.
  private static let lateness: Int64 = 100_000_000
  /// The time in seconds between two flushes of the tape's buffer to the disk.
  private static let longestWait = 1.0

  /// The number of messages that were dropped because the disk was too slow.
  package var lost: Int { refused.withLock { $0 } }

  /// - Parameters:
  ///   - start: the moment of the tape's time 0.
  ///   - report: called with a text for the user if writing to the tape fails, or if messages were dropped.
  package init(_ tape: OSCTapeWriter, start: HostTime, report: @escaping @Sendable (String) -> Void) {
    self.tape = tape
    self.start = start
    self.report = report
    flushed = start
  }

  /// Queues a message; drops it if `room` messages wait already.
  package func add(_ message: OSCMessage, at time: HostTime) {
    let entry = entry(message, time)
    let isIn = pending.withLock { list in
      guard list.count < TapeQueue.room else { return false }
      list.append(entry)
      return true
    }
    if !isIn { refused.withLock { $0 += 1 } }
  }

  /// Writes a message to the tape immediately.
  package func write(_ message: OSCMessage, at time: HostTime) { write(entry(message, time)) }

  /// Writes the messages that are at least 0.1 s old, in order of time, and flushes to the disk once per second.
  package func write(until now: HostTime) {
    let due = now.nanoseconds &- start.nanoseconds &- TapeQueue.lateness
    for entry in pop(due: due) { write(entry) }
    guard now.seconds(since: flushed) >= TapeQueue.longestWait else { return }
    flushed = now
    do throws(OSCTapeError) { try tape.flush() } catch { report(error.description) }
  }

  /// Writes the messages that are still queued, and closes the tape.
  package func close() {
    for entry in pop(due: .max) { write(entry) }
    if lost > 0 {
      report("the disk was too slow for \(lost) messages, which are not on the tape: record to a faster one")
    }
    do throws(OSCTapeError) { try tape.close() } catch { report(error.description) }
  }

  private func entry(_ message: OSCMessage, _ time: HostTime) -> Entry {
    Entry(nanoseconds: max(0, time.nanoseconds &- start.nanoseconds), message: message)
  }

  /// Pops the messages whose times are no later than `due`, in order of time.
  private func pop(due: Int64) -> [Entry] {
    var entries = pending.withLock { list in
      defer { list = [] }
      return list
    }
    guard !entries.isEmpty else { return [] }
    entries.sort { $0.nanoseconds < $1.nanoseconds }
    let count = entries.firstIndex { $0.nanoseconds > due } ?? entries.count
    pending.withLock { $0 = entries[count...] + $0 }
    return Array(entries[..<count])
  }

  private func write(_ entry: Entry) {
    do throws(OSCTapeError) {
      try tape.write(entry.message, atNanoseconds: entry.nanoseconds)
    } catch {
      report(error.description)
    }
  }
}
