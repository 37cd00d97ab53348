import MoCore
import MoOrchestra

/// The player of a session's tape: each part plays on its own instrument, with the timing that its events had in the
/// session.
///
/// - Thread: `mo-input` or, offline, the renderer's thread. Other threads read the beat from `shown`.
final class RecordingPlayer: @unchecked Sendable {
  // Unchecked: only the thread that plays the tape (`mo-input` or the renderer's) uses it; others read `shown`.
  private struct PlayedPart {
    var names: Set<String>
    var handle: InstrumentHandle
    var player: RemotePart
    /// The shared pattern that a drum machine plays; nil for other instruments.
    var pattern: RoomPattern?
  }

  private let playedParts: [PlayedPart]
  private let shown: LatestValue<BeatClock>
  private let start: HostTime
  /// The display name of the only member whose events are played; nil to play the events of all members.
  private let only: String?
  private var names: [MemberID: String] = [:]
  private var me = MemberID.nobody
  private var beat = BeatClock(clock: SlewedClock(), timeline: nil)

  /// The largest jump of the recorded shared clock, in seconds, that the player follows gradually.
  ///
  /// The player follows a larger jump immediately, since such a jump is a change to another clock.
  private static let farthest = 0.01
  private static let most = 4096

  /// - Parameters:
  ///   - parts: the parts of the tape, and the instruments that play them.
  ///   - shown: receives the beat of the tape, for instruments that follow a beat.
  ///   - start: the host time at which the tape starts to play.
  ///   - only: the display name of the only member whose events are played; nil for all members.
  init(
    _ parts: [(TapePart, InstrumentHandle)], shown: LatestValue<BeatClock>, start: HostTime, only: String?
  ) {
    (self.shown, self.start, self.only) = (shown, start, only)
    playedParts = parts.map { part, handle in
      PlayedPart(
        names: part.names, handle: handle, player: RemotePart(handle) { shown.load() },
        pattern: part.board.map { RoomPattern($0) })
    }
  }

  /// The event sources of the players; each begins the notes of its melodies, and ends its notes, at their beats.
  ///
  /// The caller adds these sources to the event loop of the program (`run.input`), as it adds the source that plays the
  /// tape.
  var releases: [RemotePart] { playedParts.map(\.player) }

  /// Handles an entry of the tape: plays its event, or follows its change of the clock, the rhythm or the members.
  func play(_ entry: SessionTapeEntry) {
    let moment = start.advanced(byNanoseconds: entry.time.nanoseconds)
    switch entry.note {
    case .room(let room):
      me = room.member
      beat = BeatClock(clock: SlewedClock(), timeline: nil)
      shown.store(beat)
    case .clock(let clock): follow(clock, at: moment)
    case .state(let state):
      beat.timeline = state.timeline
      shown.store(beat)
    case .member(let member):
      if names.count < Self.most { names[member.member] = member.name }
      if !member.isHere { for part in playedParts { part.player.release(member.member) } }
    case .heard(let heard): play(heard)
    case .sent(let sent):
      // An event that is also for the sender is on the tape as received, too.
      guard !sent.isForMe else { return }
      play(SessionHeard(from: me, play: sent.play, time: sent.time, beat: sent.beat, late: 0, weight: 1))
    case .panic: for part in playedParts { part.player.releaseAll() }
    case .activity: break
    }
  }

  private func follow(_ line: SessionTapeClock, at moment: HostTime) {
    let estimate = ClockEstimate(
      at: moment, offset: line.shared.nanoseconds &- moment.nanoseconds, rate: line.rate, errorBound: 0,
      symmetricBound: 0, roundTrip: 0, leastRoundTrip: 0, loss: 0)
    let off = Double(beat.clock.other(at: moment).nanoseconds &- line.shared.nanoseconds) * 1e-9
    // Gently, so that no line of the rhythm is passed twice.
    if abs(off) < Self.farthest {
      beat.clock.follow(estimate, at: moment)
    } else {
      beat.clock.settle(on: estimate, at: moment)
    }
    shown.store(beat)
  }

  private func play(_ heard: SessionHeard) {
    if let only, names[heard.from] != only { return }
    var heard = heard
    heard.time = start.advanced(byNanoseconds: heard.time.nanoseconds)
    switch heard.play {
    case .gesture(let gesture):
      guard heard.late == 0 else { return }
      for part in playedParts(for: "") { part.handle.move(Motion(gesture, at: heard.time)) }
    case .cells(let cells):
      guard cells.name.hasPrefix(SharedDrums.prefix) else { return }
      for pattern in playedParts.compactMap(\.pattern) { for edit in cells.edits { pattern.apply(edit) } }
    case .hit, .note, .melody, .change, .cue, .text:
      let name = TapePart.instrument(of: heard.play)
      // The instrument is chosen already: it plays events under its own name or another.
      heard.play = heard.play.named("")
      for part in playedParts(for: name) { part.player.play(heard) }
    }
  }

  /// Returns an array with the instrument that plays the part `name`; empty if no instrument plays this part.
  ///
  /// If there is only one instrument, it plays all parts.
  private func playedParts(for name: String) -> [PlayedPart] {
    playedParts.count == 1 ? playedParts : Array(playedParts.filter { $0.names.contains(name) }.prefix(1))
  }
}
