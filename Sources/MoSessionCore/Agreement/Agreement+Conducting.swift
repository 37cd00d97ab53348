import MoCore

extension SessionCore {
  /// How a rhythm begins.
  public struct Beginning: Hashable, Sendable {
    /// Beats a minute; nil for those of the last rhythm, or 120.
    public var tempo: Double?
    /// How beats make bars; nil for the last rhythm's meter, or 4/4.
    public var meter: Meter?
    /// The bar to begin with.
    public var bar = 1
    /// Bars that are counted before it.
    public var countIn = 0

    /// A beginning at bar 1, in the last rhythm's tempo and meter, with no count-in.
    public init() {}
  }
}

/// The rhythm as it was announced last: what is heard follows within a bar.
///
/// Wishes count from it, so that keys pressed in quick succession all count.
public struct AnnouncedRhythm: Hashable, Sendable {
  /// Whether it runs once all that was announced holds.
  public var isPlaying = false
  /// Beats a minute, 20…999; while it does not run, those of the next start.
  public var tempo = 120.0
  /// How beats make bars; while it does not run, those of the next start.
  public var meter = Meter.common

  /// A room in which no rhythm has been started yet.
  public init() {}
}

/// What people ask of the agreement.
extension Agreement {
  /// The rhythm as it was announced last, which counts for the next wish: what is heard follows it.
  var announced: AnnouncedRhythm {
    var rhythm = AnnouncedRhythm()
    guard let last = state.timeline?.last else { return rhythm }
    (rhythm.isPlaying, rhythm.tempo, rhythm.meter) = (last.isPlaying, last.endTempo, last.meter)
    return rhythm
  }

  /// Starts the rhythm, which takes the baton and ends a silence that was called for.
  mutating func start(
    _ beginning: SessionCore.Beginning, _ room: RoomView, _ out: inout Effects
  ) throws(SessionRefusal) {
    try mayConduct(room)
    guard room.clock.isSynced else { throw .arriving }
    let (beatClock, now) = (room.clock.beatClock, room.now)
    let time = beatClock.sessionTime(at: now)
    let old = beatClock.timeline
    // Its bars are counted anew; if one rhythm follows another, all play on as they do.
    let bar = beatClock.isPlaying(at: now) ? beatClock.position(at: now)?.bar : nil
    let pattern = bar.map { state.pattern.standing(inBar: $0) } ?? PatternPlan()
    let timeline = Timeline.beginning(
      at: time.advanced(bySeconds: lead(room)), tempo: beginning.tempo ?? announced.tempo,
      meter: beginning.meter ?? announced.meter, bar: beginning.bar, countIn: beginning.countIn,
      take: take(after: state.timeline?.take ?? 0, by: room.me), after: old?.segment(at: time))
    let ended = silence.inRoom ?? state.endedSilence
    write(room, &out) {
      ($0.timeline, $0.pattern, $0.isHeld, $0.endedSilence) = (timeline, pattern, true, ended)
    }
    out.event(.started)
    silence.end(&out)
  }

  /// The number of the next start: a count, and beneath it twelve bits of the member that starts.
  ///
  /// Otherwise two members that are apart and both start would play different music under one number.
  private func take(after last: UInt32, by me: MemberID) -> UInt32 {
    ((last >> 12) &+ 1) << 12 | UInt32(truncatingIfNeeded: me.bits & 0xfff)
  }

  /// Takes the baton of a rhythm that plays on without a conductor.
  mutating func takeBaton(_ room: RoomView, _ out: inout Effects) throws(SessionRefusal) {
    try mayConduct(room, isTaking: true)
    // A baton held in silence would only keep others from starting.
    guard state.isPlaying else { throw .noRhythm }
    write(room, &out) { $0.isHeld = true }
  }

  /// Changes the rhythm from the next line of a grid on.
  ///
  /// - Parameter change: the new course, of the old one, the time of the line, and the time now.
  mutating func change(
    at grid: BeatGrid, isHeld: Bool = true, _ room: RoomView, _ out: inout Effects,
    _ change: (Timeline, SessionTime, SessionTime) -> Timeline
  ) throws(SessionRefusal) {
    guard state.conductor == room.me else { throw .notConductor }
    guard let timeline = state.timeline else { throw .noRhythm }
    guard room.clock.isSynced else { throw .arriving }
    let time = room.clock.beatClock.sessionTime(at: room.now)
    let soon = time.advanced(bySeconds: lead(room))
    let changed = change(timeline, timeline.time(of: grid, from: soon) ?? soon, time)
    write(room, &out) { ($0.timeline, $0.isHeld) = (changed, isHeld) }
  }

  /// Seconds by which a change is announced ahead: enough for all members to have it, even sent three times.
  private func lead(_ room: RoomView) -> Double {
    let slowest = room.members.values.reduce(0) { max($0, Double($1.report.roundTripMilliseconds)) }
    return min(1, 0.25 + 4e-3 * max(slowest, room.clock.sync.roundTrip * 1e-6))
  }

  /// Hands the baton to another member.
  mutating func handOver(to id: MemberID, _ room: RoomView, _ out: inout Effects) throws(SessionRefusal) {
    guard state.conductor == room.me else { throw .notConductor }
    guard let member = room.members[id] else { throw .unknownMember(id) }
    let installation = member.identity.installation
    guard only == .nobody || installation == only else { throw .reserved(only) }
    guard mayWrite(installation, room) else { throw .closed(openers: openers(room)) }
    state.begin(state.version.handed(to: id, by: room.me, after: highestEpoch))
    (handed, stateSince) = (state.version, room.now)
    state.holderInstallation = installation
    out.event(.handed(from: room.me, to: id))
    wrote(room, &out)
  }

  /// Takes in that a member asks this one for the baton.
  mutating func receiveQuestion(
    from id: MemberID, _ installation: MemberID, _ room: RoomView, _ out: inout Effects
  ) {
    guard state.conductor == room.me, id != room.me, only == .nobody || only == installation,
      mayWrite(installation, room), batonQuestions.allows(at: room.now, most: 2)
    else {
      out.counts.gated += 1
      return
    }
    out.event(.askedForBaton(by: id))
  }

  /// Sets all gates, for everybody.
  mutating func setGates(_ gates: GateTable, _ room: RoomView, _ out: inout Effects) throws(SessionRefusal) {
    guard gates != state.policy.gates else { return try mayConduct(room) }
    guard gates.fits(besideSections: state.policy.sections.entries.count) else { throw .tooManyGates }
    let mine = room.installation
    try agree(room, &out) { state in
      state.policy.gates = gates
      if gates.weight(.rhythm, from: mine) == 0 { state.isHeld = false }
    }
  }

  /// Sets how loud sections are.
  ///
  /// - Parameter levels: nil if too much would be stated.
  mutating func setLevels(
    _ levels: SectionLevels?, _ room: RoomView, _ out: inout Effects
  ) throws(SessionRefusal) {
    guard let levels, state.policy.gates.fits(besideSections: levels.entries.count) else {
      throw .tooManySections
    }
    try mayConduct(room)
    guard levels != state.policy.sections else { return }
    try agree(room, &out) { $0.policy.sections = levels }
  }
}
