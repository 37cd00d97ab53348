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

  /// Starts the rhythm, which takes the baton; while it plays on after a conductor has gone, it is started anew.
  ///
  /// It ends a silence that was called for.
  ///
  /// - Throws: `SessionRefusal.conducted`, `away`, `reserved`, `arriving`.
  public mutating func start(_ beginning: Beginning, now: HostTime) throws(SessionRefusal) {
    try mayConduct(at: now)
    // Who has listened long enough and heard of no room is the first.
    if base == nil, now >= discovery.foundsAt { found(at: now) }
    guard isSynced else { throw .arriving }
    let time = beatClock.sessionTime(at: now)
    let old = beatClock.timeline
    // Its bars are counted anew; where one rhythm follows another, all play on as they do.
    let bar = beatClock.isPlaying(at: now) ? beatClock.position(at: now)?.bar : nil
    let pattern = bar.map { state.pattern.standing(inBar: $0) } ?? PatternPlan()
    let timeline = Timeline.beginning(
      at: time.advanced(bySeconds: lead), tempo: beginning.tempo ?? announced.tempo,
      meter: beginning.meter ?? announced.meter, bar: beginning.bar,
      countIn: beginning.countIn, take: take(after: state.timeline?.take ?? 0), after: old?.segment(at: time))
    let ended = silence.holding.flatMap { $0.isOwn ? nil : $0.number } ?? state.endedSilence
    write(at: now) {
      ($0.timeline, $0.pattern, $0.isHeld, $0.endedSilence) = (timeline, pattern, true, ended)
    }
    events.append(.started)
    soundAgain()
  }

  /// The rhythm as it was announced last, which counts for the next wish: what is heard follows it.
  package var announced: AnnouncedRhythm {
    guard let last = state.timeline?.last else { return AnnouncedRhythm() }
    return AnnouncedRhythm(isPlaying: last.isPlaying, tempo: last.endTempo, meter: last.meter)
  }

  /// The number of the next start: a count, and beneath it twelve bits of who starts.
  ///
  /// Else two who are apart and both start would play different music under one number.
  private func take(after last: UInt32) -> UInt32 {
    ((last >> 12) &+ 1) << 12 | UInt32(truncatingIfNeeded: me.bits & 0xfff)
  }

  /// Takes the baton of a rhythm that plays on without a conductor.
  ///
  /// - Throws: `SessionRefusal.conducted`, `reserved`, `noRhythm`.
  public mutating func takeBaton(now: HostTime) throws(SessionRefusal) {
    try mayConduct(at: now, isTaking: true)
    // A baton held in silence would only keep others from starting.
    guard state.isPlaying else { throw .noRhythm }
    write(at: now) { $0.isHeld = true }
  }

  /// Stops the rhythm at the next line of a grid, which lays down the baton.
  ///
  /// - Throws: `SessionRefusal.notConductor`, `noRhythm`, `arriving`.
  public mutating func stop(at grid: BeatGrid = .beat, now: HostTime) throws(SessionRefusal) {
    try change(at: grid, isHeld: false, now: now) { timeline, time, now in
      timeline.stopping(at: time, now: now)
    }
  }

  /// Changes the tempo from the next line of a grid on, at once there or over so many beats.
  ///
  /// - Throws: `SessionRefusal.notConductor`, `noRhythm`, `arriving`.
  public mutating func setTempo(
    _ tempo: Double, over beats: Double = 0, at grid: BeatGrid = .beat, now: HostTime
  ) throws(SessionRefusal) {
    try change(at: grid, now: now) { timeline, time, now in
      timeline.changing(tempo: tempo, over: beats, at: time, now: now)
    }
  }

  /// Changes the meter from the next bar line on.
  ///
  /// - Throws: `SessionRefusal.notConductor`, `noRhythm`, `arriving`.
  public mutating func setMeter(_ meter: Meter, now: HostTime) throws(SessionRefusal) {
    try change(at: .bar, now: now) { timeline, time, now in
      timeline.changing(meter: meter, at: time, now: now)
    }
  }

  /// Hands the baton to another member.
  ///
  /// - Throws: `SessionRefusal.notConductor`, `unknownMember`, `reserved`.
  public mutating func handOver(to id: MemberID, now: HostTime) throws(SessionRefusal) {
    guard state.conductor == me else { throw .notConductor }
    guard let member = members[id] else { throw .unknownMember(id) }
    guard only == .nobody || member.identity.installation == only else { throw .reserved(only) }
    guard mayWrite(member.identity.installation, at: now) else { throw .closed(openers: openers(at: now)) }
    state.begin(state.version.handed(to: id, by: me, after: highestEpoch))
    (handed, stateSince) = (state.version, now)
    state.holderInstallation = member.identity.installation
    events.append(.handed(from: me, to: id))
    wrote(at: now)
  }

  /// Tells of a baton that another member handed on.
  mutating func tellHandOver(after before: SessionState) {
    guard let giver = before.conductor, let taker = state.conductor, giver != taker, state.version.isHanded,
      before.version.counter < state.version.counter
    else { return }
    events.append(.handed(from: giver, to: taker))
  }

  /// Asks the conductor for the baton: it is told, and may hand it over.
  ///
  /// - Throws: `SessionRefusal.noConductor`, `reserved`, `closed`, `crowded`.
  package mutating func askForBaton(now: HostTime) throws(SessionRefusal) {
    guard let conductor = conductor(at: now), conductor != me else { throw .noConductor }
    try mayHold(settings.identity.installation, at: now)
    try play(.cue(SessionCue(.askForBaton)), to: .member(conductor), now: now)
  }

  /// Takes in that a member asks for the baton.
  mutating func takeQuestion(from id: MemberID, _ installation: MemberID, now: HostTime) {
    guard state.conductor == me, id != me, only == .nobody || only == installation,
      mayWrite(installation, at: now), batonQuestions.allows(at: now, most: 2)
    else {
      counts.gated += 1
      return
    }
    events.append(.askedForBaton(by: id))
  }

  /// Whether an installation may conduct at all.
  private func mayHold(_ installation: MemberID, at now: HostTime) throws(SessionRefusal) {
    guard only == .nobody || only == installation else {
      throw .reserved(only, away: absence(of: only, at: now))
    }
    guard mayWrite(installation, at: now) else { throw .closed(openers: openers(at: now)) }
  }

  /// Who may conduct: nobody else does, and it is not reserved for another.
  ///
  /// - Parameter isTaking: whether it is the baton of an absent conductor that is asked for, and nothing else.
  func mayConduct(at now: HostTime, isTaking: Bool = false) throws(SessionRefusal) {
    let mine = settings.identity.installation
    try mayHold(mine, at: now)
    guard let holder = state.conductor, holder != me, settings.only != mine, only != mine else { return }
    let name = members[holder]?.identity.name ?? holder.description
    let gates = state.policy.gates
    if isHere(holder, at: now) {
      guard
        gates.weight(.rhythm, from: mine) < 1 || gates.weight(.rhythm, from: state.holderInstallation) >= 1
      else { return }
      throw .conducted(by: name)
    }
    // Its machine may be changing from one access point to the next. Who starts anew is the same conductor.
    let away = now.seconds(since: conductorLostAt ?? now)
    guard isTaking || !state.isPlaying || away >= Self.grace || state.holderInstallation == mine else {
      throw .away(name, seconds: Int(away))
    }
  }

  /// Seconds for which the baton of a conductor who is gone without a word is not taken by the way.
  static let grace = 30.0

  private mutating func change(
    at grid: BeatGrid, isHeld: Bool = true, now: HostTime,
    _ change: (Timeline, SessionTime, SessionTime) -> Timeline
  ) throws(SessionRefusal) {
    guard state.conductor == me else { throw .notConductor }
    guard let timeline = state.timeline else { throw .noRhythm }
    guard isSynced else { throw .arriving }
    let time = beatClock.sessionTime(at: now)
    let soon = time.advanced(bySeconds: lead)
    let changed = change(timeline, timeline.time(of: grid, from: soon) ?? soon, time)
    write(at: now) { ($0.timeline, $0.isHeld) = (changed, isHeld) }
  }

  /// Writes a new state as its holder, in a new epoch if this member does not conduct.
  mutating func write(at now: HostTime, _ change: (inout SessionState) -> Void) {
    let (before, mine) = (state.timeline, settings.identity.installation)
    // An epoch of one's own that was lost and came back may lack what was written last.
    if state.conductor == me, state.version >= written {
      state.version = state.version.revised
    } else {
      state.begin(state.version.next(heldBy: me, after: highestEpoch))
      state.isHeld = false
    }
    (state.lineage, state.joins, state.holderInstallation) = (base?.lineage ?? me, .nobody, mine)
    if settings.only == mine { (state.policy.only, state.policy.lifted) = (mine, .nobody) }
    (state.lastChange, stateSince) = (state.version.revision, now)
    change(&state)
    if state.timeline != before { show(state.timeline, at: now) }
    wrote(at: now)
  }

  /// Tells everybody of a state that was written here, also those who have not answered for the one before.
  mutating func wrote(at now: HostTime) {
    signState()
    if state.version.holder == me { written = max(written, state.version) }
    highestEpoch = max(highestEpoch, state.version.counter)
    lookForConductor(at: now)
    lagging.removeAll(keepingCapacity: true)
    for index in members.indices {
      members.values[index].push = StatePush()
      noteLag(of: members.keys[index], now: now)
    }
    pushState(at: now)
    nextSweep = min(nextSweep, now)
  }

  /// Seconds by which a change is announced ahead: enough for everybody to have it, even sent three times.
  private var lead: Double {
    let slowest = members.values.reduce(0) { max($0, Double($1.report.roundTripMilliseconds)) }
    return min(1, 0.25 + 4e-3 * max(slowest, sync.roundTrip * 1e-6))
  }
}
