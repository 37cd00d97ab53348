import MoCore
import MoMu
import MoOrchestra

/// An event source that plays a session's tape, as if the session happened now.
///
/// It passes each entry to the player 60 ms before the entry is due, so that every sound begins at its exact frame.
///
/// - Thread: `mo-input` or, offline, the renderer's thread.
final class SessionTapeSource: EventTimer, @unchecked Sendable {
  // Unchecked: the loop that drives it services it one thread at a time.
  let name: String
  let isFinite = true
  private let tape: SessionTapeReader
  private let player: RecordingPlayer
  private let start: HostTime
  /// The host time at which this event source ends the program; nil if the program ends when all its event sources are
  /// finished, as it does offline.
  private var end: HostTime?
  private var waiting: SessionTapeEntry?

  /// The lead, in seconds, with which each entry goes to the player before the entry is due.
  ///
  /// Without this lead, a sound that begins when its entry is due would reach the sound card too late.
  static let lead = 0.06

  /// - Parameters:
  ///   - player: the player that receives the entries.
  ///   - start: the host time at which the tape starts to play.
  ///   - end: the host time at which this event source ends the program; nil if the program ends when all its event
  ///     sources are finished.
  /// - Throws: `SessionTapeError`.
  init(
    _ tape: SessionTapeReader, player: RecordingPlayer, start: HostTime, end: HostTime?
  ) throws {
    name = "tape:\(tape.path)"
    (self.tape, self.player, self.start, self.end) = (tape, player, start, end)
    waiting = try tape.next()
  }

  /// Whether all entries of the tape have been read.
  var isOver: Bool { waiting == nil }

  var nextTime: HostTime? { waiting.map(due) ?? end }

  func service(until now: HostTime) throws {
    while let entry = waiting, due(entry) <= now {
      player.play(entry)
      waiting = nil
      waiting = try tape.next()
    }
    player.setLevels()
    guard waiting == nil, let end, end <= now else { return }
    self.end = nil
    StopWait.end()
  }

  private func due(_ entry: SessionTapeEntry) -> HostTime {
    start.advanced(byNanoseconds: entry.time.nanoseconds).advanced(bySeconds: -Self.lead)
  }
}
