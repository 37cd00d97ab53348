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
    /// The members that have played the part.
    var players: Set<MemberID> = []
    /// Whether any member has reported that it plays the part; if so, a pattern sounds only while such a member is here.
    var hasReports = false
    /// The loudness of the instrument at level 1, the level of the part, and the loudness that results from both.
    var loudness: (full: Float, level: Float, set: Float)
  }

  private var playedParts: [PlayedPart]
  private let shown: LatestValue<BeatClock>
  private let start: HostTime
  /// The display name of the only member whose events are played; nil to play the events of all members.
  private let only: String?
  private var names: [MemberID: String] = [:]
  private var levels = ReplayLevels()
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
        pattern: part.board.map { RoomPattern($0) }, loudness: (handle.loudness, 1, handle.loudness))
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
      levels.reset()
    case .clock(let clock): follow(clock, at: moment)
    case .state(let state):
      beat.timeline = state.timeline
      shown.store(beat)
    case .member(let member):
      if names.count < Self.most { names[member.member] = member.name }
      if levels.update(member) { for part in playedParts { part.player.release(member.member, at: moment) } }
    case .heard(let heard): play(heard, at: moment)
    case .sent(let sent):
      // An event that is also for the sender is on the tape as received, too.
      guard !sent.isForMe else { break }
      play(
        SessionHeard(from: me, play: sent.play, time: sent.time, beat: sent.beat, late: 0, weight: 1),
        at: moment)
    case .panic:
      levels.isSilenced = true
      for part in playedParts { part.player.release(nil, at: moment) }
    case .panicLifted: levels.isSilenced = false
    case .activity: break
    }
    switch entry.note {
    case .room, .member, .panic, .panicLifted: setLevels(at: moment)
    case .clock, .state, .heard, .sent, .activity: break
    }
  }

  /// Sets the loudness of each instrument to the level of its part.
  private func setLevels(at moment: HostTime) {
    for place in playedParts.indices {
      let (handle, loudness) = (playedParts[place].handle, playedParts[place].loudness)
      let level = level(of: &playedParts[place])
      guard level != loudness.level else { continue }
      // The user may have changed the loudness meanwhile.
      let shown = handle.loudness
      var full = loudness.full
      if shown != loudness.set { full = loudness.level > 0 ? min(1, shown / loudness.level) : shown }
      handle.set(handle.parameters.count - 1, to: full * level, heardAt: moment)
      playedParts[place].loudness = (full, level, full * level)
    }
  }

  private func level(of part: inout PlayedPart) -> Float {
    let reports = levels.players(of: part.names).filter(isIncluded)
    if !reports.isEmpty { part.hasReports = true }
    let players = reports.union(part.players.filter(levels.has))
    // A drum machine's program plays the pattern.
    if part.pattern != nil, part.hasReports, players.isEmpty { return 0 }
    return levels.level(of: players)
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
    switch heard.play {
    case .gesture:
      guard heard.late == 0 else { return }
      for place in places(for: "") {
        guard case .gesture(let gesture) = leveled(heard, on: place, at: moment).play else { continue }
        playedParts[place].handle.move(Motion(gesture, at: heard.time))
      }
    case .cells(let cells):
      guard cells.name.hasPrefix(SharedDrums.prefix) else { return }
      for pattern in playedParts.compactMap(\.pattern) { for edit in cells.edits { pattern.apply(edit) } }
    case .hit, .note, .melody, .cue, .text, .change:
      let name = TapePart.instrument(of: heard.play)
      // The instrument is chosen already: it plays events under its own name or another.
      heard.play = heard.play.named("")
      for place in places(for: name) {
        if setsLoudness(heard, on: place) { continue }
        playedParts[place].player.play(leveled(heard, on: place, at: moment))
      }
    }
  }

  /// Returns an event, weaker if its member has a lower level than the instrument on which it sounds.
  private func leveled(_ heard: SessionHeard, on place: Int, at moment: HostTime) -> SessionHeard {
    guard heard.play.makesSound else { return heard }
    if playedParts[place].players.count < Self.most, playedParts[place].players.insert(heard.from).inserted {
      setLevels(at: moment)
    }
    let (own, whole) = (levels.level(of: heard.from), playedParts[place].loudness.level)
    guard own < whole else { return heard }
    var heard = heard
    heard.play = heard.play.weakened(by: (own / whole) * (own / whole))
    return heard
  }

  /// Sets the loudness that a member gives an instrument, multiplied by the level; returns false for other events.
  private func setsLoudness(_ heard: SessionHeard, on place: Int) -> Bool {
    let handle = playedParts[place].handle
    let index = handle.parameters.count - 1
    guard case .change(let change) = heard.play, handle.index(of: change.name) == index,
      let wanted = handle.parameters[index].taken(change.value)
    else { return false }
    var (full, level, _) = playedParts[place].loudness
    full += heard.weight * (wanted - full)
    handle.set(index, to: full * level, heardAt: heard.time)
    playedParts[place].loudness = (full, level, full * level)
    return true
  }

  /// Returns the place of the instrument that plays the part `name`, as an array; empty if no instrument plays it.
  ///
  /// If there is only one instrument, it plays all parts.
  private func places(for name: String) -> [Int] {
    playedParts.count == 1
      ? [0] : Array(playedParts.indices.filter { playedParts[$0].names.contains(name) }.prefix(1))
  }
}
