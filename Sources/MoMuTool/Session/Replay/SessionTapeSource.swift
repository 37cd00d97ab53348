import MoCore
import MoMu
import MoOrchestra

/// Plays a session's tape in place of a session: each entry early, so that every sound is at its exact frame.
///
/// - Thread: any, but one at a time, the one that drives it.
final class SessionTapeSource: EventSource, @unchecked Sendable {
  // Unchecked: the loop that drives it services it one thread at a time.
  let name: String
  let descriptor: Int32? = nil
  let isFinite = true
  private let tape: SessionTapeReader
  private let hands: RecordingPlayer
  private let start: HostTime
  /// The time at which the program ends; nil if it ends by itself, as offline.
  private var end: HostTime?
  private var waiting: SessionTapeEntry?

  /// Seconds by which an entry is read early: immediate sounds must reach the sound card by then.
  static let lead = 0.06

  /// - Parameters:
  ///   - start: the host time of the tape's time 0.
  ///   - end: the time at which the program ends; nil if it ends by itself.
  /// - Throws: `SessionTapeError`.
  init(
    _ tape: SessionTapeReader, hands: RecordingPlayer, start: HostTime, end: HostTime?
  ) throws {
    name = "tape:\(tape.path)"
    (self.tape, self.hands, self.start, self.end) = (tape, hands, start, end)
    waiting = try tape.next()
  }

  /// Whether all entries of the tape have been read.
  var isOver: Bool { waiting == nil }

  var nextTime: HostTime? { waiting.map(due) ?? end }

  func service(until now: HostTime) throws {
    while let entry = waiting, due(entry) <= now {
      hands.take(entry)
      waiting = nil
      waiting = try tape.next()
    }
    guard waiting == nil, let end, end <= now else { return }
    self.end = nil
    StopWait.end()
  }

  private func due(_ entry: SessionTapeEntry) -> HostTime {
    start.advanced(byNanoseconds: entry.time.nanoseconds).advanced(bySeconds: -Self.lead)
  }
}
