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
    var players: PartPlayers
  }

  private var playedParts: [PlayedPart]
  private let shown: LatestValue<BeatClock>
  private let start: HostTime
  /// The display name of the only member whose events are played; nil to play the events of all members.
  private let only: String?
  private var names: [MemberID: String] = [:]
  private var levels = ReplayLevels()
  /// The time of the last entry that may have changed a level; nil if all levels are set.
  private var changed: HostTime?
  /// The last state of the room on the tape.
  private var state = SessionState.none
  private var me = MemberID.nobody
  private var beat = BeatClock(clock: SlewedClock(), timeline: nil)

  /// The largest jump of the recorded shared clock, in seconds, that the player follows gradually.
  ///
  /// The player follows a larger jump immediately, since such a jump is a change to another clock.
  private static let farthest = 0.01
  private static let most = 4096
  /// The time in which an instrument reaches a new level, in seconds; twice that of `InstrumentHandle.setLevel`.
  private static let levelTime = 0.02

  /// - Parameters:
  ///   - parts: the parts of the tape, and the instruments that play them.
  ///   - shown: receives the beat of the tape, for instruments that follow a beat.
  ///   - start: the host time at which the tape starts to play.
  ///   - only: the display name of the only member whose events are played; nil for all members.
  init(
    _ parts: [(ReplayPart, InstrumentHandle)], shown: LatestValue<BeatClock>, start: HostTime, only: String?
  ) {
    (self.shown, self.start, self.only) = (shown, start, only)
    playedParts = parts.map { part, handle in
      PlayedPart(
        names: part.names, handle: handle, player: RemotePart(handle) { shown.load() },
        pattern: part.board.map { RoomPattern($0) },
        players: PartPlayers(part.names, isPattern: part.board != nil))
    }
  }

  /// The event sources of the players; each begins the notes of its melodies, and ends its notes, at their beats.
  ///
  /// The caller adds these sources to the event loop of the program (`run.input`), as it adds the source that plays the
  /// tape.
  var releases: [RemotePart] { playedParts.map(\.player) }

  /// Handles an entry of the tape: plays its event, or follows its change of the clock, the rhythm or the members.
  ///
  /// Call `setLevels` after the last of several entries.
  func play(_ entry: SessionTapeEntry) {
    let moment = start.advanced(byNanoseconds: entry.time.nanoseconds)
    switch entry.note {
    case .member, .panic, .panicLifted: if changed != moment { setLevels() }
    default: setLevels()
    }
    switch entry.note {
    case .room(let room): begin(room, at: moment)
    case .clock(let clock): follow(clock, at: moment)
    case .state(let state):
      beat.timeline = state.timeline
      shown.store(beat)
      // The tape of an earlier release has no entry for the end of a silence.
      if state.lineage == self.state.lineage, state.endedSilence != self.state.endedSilence {
        endSilence(at: moment)
      }
      self.state = state
    case .member(let member): update(member, at: moment)
    case .heard(let heard): play(heard, at: moment)
    case .sent(let sent):
      // An event that is also for the sender is on the tape as received, too.
      guard !sent.isForMe else { return }
      play(
        SessionHeard(from: me, play: sent.play, time: sent.time, beat: sent.beat, late: 0, weight: 1),
        at: moment)
    case .panic:
      (levels.isSilenced, changed) = (true, moment)
      for part in playedParts { part.player.release(nil, at: moment) }
    case .panicLifted: endSilence(at: moment)
    case .activity: break
    }
  }

  /// Sets the level of each instrument, after the last entry of a time.
  func setLevels() {
    guard let moment = changed else { return }
    changed = nil
    for place in playedParts.indices { setLevel(of: place, at: moment) }
  }

  private func setLevel(of place: Int, at moment: HostTime) {
    let players = playedParts[place].players
    let level = players.wanted(levels)
    guard level != players.level.value else { return }
    // A later order must not become due earlier.
    let moment = max(moment, players.level.time)
    if playedParts[place].handle.setLevel(level, heardAt: moment) {
      playedParts[place].players.set(level, at: moment)
    }
  }

  private func begin(_ room: SessionTapeRoom, at moment: HostTime) {
    me = room.member
    beat = BeatClock(clock: SlewedClock(), timeline: nil)
    shown.store(beat)
    (levels, state, changed) = (ReplayLevels(), .none, moment)
    for place in playedParts.indices {
      playedParts[place].player.release(nil, at: moment)
      playedParts[place].players.reset()
      playedParts[place].pattern?.forget()
    }
  }

  private func update(_ member: SessionTapeMember, at moment: HostTime) {
    if names.count < Self.most { names[member.member] = member.name }
    changed = moment
    let endsNotes = levels.update(member)
    for place in playedParts.indices {
      if endsNotes { playedParts[place].player.release(member.member, at: moment) }
      if !member.isHere || isIncluded(member.member) { playedParts[place].players.follow(member) }
    }
  }

  private func endSilence(at moment: HostTime) {
    guard levels.isSilenced else { return }
    (levels.isSilenced, changed) = (false, moment)
  }

  private func isIncluded(_ member: MemberID) -> Bool { only == nil || names[member] == only }

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

  private func play(_ heard: SessionHeard, at moment: HostTime) {
    guard isIncluded(heard.from) else { return }
    var heard = heard
    heard.time = start.advanced(byNanoseconds: heard.time.nanoseconds)
    // In a silence nothing sounds. So its end is not on this tape: the tape of an earlier release does not have it.
    if heard.play.makesSound { endSilence(at: moment) }
    switch heard.play {
    case .gesture:
      guard heard.late == 0 else { return }
      for place in places(for: "") {
        guard case .gesture(let gesture) = weakened(heard, on: place, at: moment).play else { continue }
        playedParts[place].handle.move(Motion(gesture, at: heard.time))
      }
    case .cells(let cells):
      guard cells.name.hasPrefix(SharedDrums.prefix) else { return }
      for place in playedParts.indices {
        guard let pattern = playedParts[place].pattern else { continue }
        for edit in cells.edits { pattern.apply(edit) }
      }
    case .hit, .note, .melody, .change, .cue, .text:
      let name = ReplayPart.instrument(of: heard.play)
      // The instrument is chosen already: it plays events under its own name or another.
      heard.play = heard.play.named("")
      for place in places(for: name) {
        playedParts[place].player.play(weakened(heard, on: place, at: moment))
      }
    }
  }

  /// Returns an event, weaker if its member has a lower level than the instrument on which it sounds.
  private func weakened(_ heard: SessionHeard, on place: Int, at moment: HostTime) -> SessionHeard {
    guard heard.play.makesSound else { return heard }
    if playedParts[place].players.addSender(heard.from, of: heard.play) {
      // Before the sound begins, so that its first strike has the level.
      setLevel(of: place, at: moment.advanced(bySeconds: -Self.levelTime))
    }
    let (own, whole) = (levels.level(of: heard.from), playedParts[place].players.level.value)
    guard own < whole else { return heard }
    var heard = heard
    heard.play = heard.play.weakened(by: (own / whole) * (own / whole))
    return heard
  }

  /// Returns the place of the instrument that plays the part `name`, as an array; empty if no instrument plays it.
  ///
  /// If there is only one instrument, it plays all parts.
  private func places(for name: String) -> [Int] {
    playedParts.count == 1
      ? [0] : Array(playedParts.indices.filter { playedParts[$0].names.contains(name) }.prefix(1))
  }
}
