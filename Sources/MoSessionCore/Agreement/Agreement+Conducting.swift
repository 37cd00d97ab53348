import MoCore

extension SessionCore {
  /// The settings of a rhythm's start.
  public struct Beginning: Hashable, Sendable {
    /// The tempo in beats per minute; nil for the tempo of the last rhythm.
    ///
    /// If no rhythm has been started yet, nil means 120.
    public var tempo: Double?
    /// The meter; nil for the meter of the last rhythm.
    ///
    /// If no rhythm has been started yet, nil means 4/4.
    public var meter: Meter?
    /// The number of the bar at which the music begins, after the count-in.
    public var bar = 1
    /// The number of count-in bars before the first bar.
    public var countIn = 0
    /// The moment of the start, and the beat at that moment; nil to start at the bar `bar` as soon as possible.
    ///
    /// Set a place if MIDI gear leads the rhythm. Beat 0 is the beginning of bar 1.
    public var place: Place?

    /// A moment and its beat.
    public struct Place: Hashable, Sendable {
      /// The moment, on the shared clock: from now to a day from now; clamped.
      public var time: SessionTime
      /// The beat at the moment `time`, 0…999,999,999; clamped, and 0 for NaN.
      public var beat: Double

      /// Creates a place from its parts.
      public init(time: SessionTime, beat: Double) { (self.time, self.beat) = (time, beat) }
    }

    /// Creates a start at bar 1, in the last rhythm's tempo and meter, with no count-in.
    public init() {}
  }
}

/// The rhythm after all changes that the conductor has announced.
///
/// The audible rhythm follows when the changes take effect, usually within a bar. The next change starts from the
/// announced rhythm, not from the audible rhythm. So if a player presses several keys quickly, each key counts.
public struct AnnouncedRhythm: Hashable, Sendable {
  /// Whether the rhythm runs after all announced changes have taken effect.
  public var isPlaying = false
  /// The tempo in beats per minute, 20…999.
  ///
  /// While the rhythm is stopped, this is the tempo of the next start.
  public var tempo = 120.0
  /// The meter.
  ///
  /// While the rhythm is stopped, this is the meter of the next start.
  public var meter = Meter.common

  /// Creates the rhythm of a room in which no rhythm has been started yet.
  public init() {}
}

/// The changes of the state that people request: of the rhythm, the baton, the gates and the levels of sections.
extension Agreement {
  /// The rhythm after all changes that the conductor has announced; the next change starts from this rhythm.
  var announced: AnnouncedRhythm {
    var rhythm = AnnouncedRhythm()
    guard let last = state.timeline?.last else { return rhythm }
    (rhythm.isPlaying, rhythm.tempo, rhythm.meter) = (last.isPlaying, last.endTempo, last.meter)
    return rhythm
  }

  /// Starts the rhythm, takes the baton, and ends a silence.
  mutating func start(
    _ beginning: SessionCore.Beginning, _ room: RoomView, _ out: inout Effects
  ) throws(SessionRefusal) {
    try mayConduct(room)
    guard room.clock.isSynced else { throw .arriving }
    let (beatClock, now) = (room.clock.beatClock, room.now)
    let time = beatClock.sessionTime(at: now)
    let old = beatClock.timeline
    // Its bars are counted anew. If one rhythm follows another, all members play on in time.
    let bar = beatClock.isPlaying(at: now) ? beatClock.position(at: now)?.bar : nil
    let pattern = bar.map { state.pattern.constant(inBar: $0) } ?? PatternPlan()
    let soon = time.advanced(bySeconds: lead(room))
    // Another program names the place, perhaps from a clock that is wrong. The other members refuse what is out of
    // range.
    let latest = time.advanced(bySeconds: Self.mostStartDelay)
    var timeline = Timeline.beginning(
      at: beginning.place.map { min(max($0.time, time), latest) } ?? soon,
      tempo: beginning.tempo ?? announced.tempo,
      meter: beginning.meter ?? announced.meter, bar: beginning.bar, countIn: beginning.countIn,
      take: take(after: state.timeline?.take ?? 0, by: room.me), after: old?.segment(at: time))
    if let place = beginning.place?.beat {
      let beat = place.isNaN ? 0 : min(max(place, 0), BeatSegment.mostBeat)
      timeline.next?.beat = beat
      timeline.next?.soundsFrom = beat
    }
    let ended = silence.inRoom ?? state.endedSilence
    write(room, &out) {
      ($0.timeline, $0.pattern, $0.isHeld, $0.endedSilence) = (timeline, pattern, true, ended)
    }
    out.event(.started)
    silence.end(&out)
  }

  /// The largest time in seconds from the request to the start of a rhythm at a given place: a day.
  static let mostStartDelay = 86_400.0

  /// Returns the number of the next take: in the high bits a counter, in the low twelve bits some bits of this member's
  /// ID.
  ///
  /// Without the ID, two separated members that both start a rhythm could give the same number to different music.
  private func take(after last: UInt32, by me: MemberID) -> UInt32 {
    ((last >> 12) &+ 1) << 12 | UInt32(truncatingIfNeeded: me.bits & 0xfff)
  }

  /// Takes the baton of a rhythm that still plays without a conductor.
  mutating func takeBaton(_ room: RoomView, _ out: inout Effects) throws(SessionRefusal) {
    try mayConduct(room, isTaking: true)
    // A baton without a rhythm would only keep other members from starting one.
    guard state.isPlaying else { throw .noRhythm }
    write(room, &out) { $0.isHeld = true }
  }

  /// Changes the rhythm at the next line of a grid.
  ///
  /// - Parameter change: a function that returns the new timeline; its arguments are the old timeline, the time of the
  ///   grid line, and the present time.
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

  /// Changes the tempo to `tempo` at the moment `time`, and to `then` at the later moment `end`.
  mutating func steer(
    _ tempo: Double, at time: SessionTime, then: Double, at end: SessionTime, _ room: RoomView,
    _ out: inout Effects
  ) throws(SessionRefusal) {
    try change(at: .now, room, &out) { timeline, soon, now in
      let start = max(time, now)
      return timeline.changing(tempo: tempo, at: start, now: now)
        .changing(tempo: then, at: max(end, start), now: now)
    }
  }

  /// Returns the seconds from the announcement of a change until the change takes effect.
  ///
  /// The time is so long that all members receive the change in time, even if it must be sent three times.
  func lead(_ room: RoomView) -> Double {
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
    state.begin(
      state.version.handed(to: id, by: room.me, after: highestEpoch),
      abandoning: recentlyAbandoned(at: room.now))
    (handed, stateSince) = (state.version, room.now)
    state.holderInstallation = installation
    out.event(.handed(from: room.me, to: id))
    sendWritten(room, &out)
  }

  /// Processes another member's request that this member, the conductor, hand over the baton.
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

  /// Sets all gates for all members.
  mutating func setGates(_ gates: GateTable, _ room: RoomView, _ out: inout Effects) throws(SessionRefusal) {
    guard gates != state.policy.gates else { return try mayConduct(room) }
    guard gates.fits(withSections: state.policy.sections.entries.count) else { throw .tooManyGates }
    let mine = room.installation
    try lead(room, &out) { state in
      state.policy.gates = gates
      if gates.weight(.rhythm, from: mine) == 0 { state.isHeld = false }
    }
  }

  /// Sets the levels of sections.
  ///
  /// - Parameter levels: the new levels; nil if they have too many entries, which this method reports as
  ///   `tooManySections`.
  mutating func setLevels(
    _ levels: SectionLevels?, _ room: RoomView, _ out: inout Effects
  ) throws(SessionRefusal) {
    guard let levels, state.policy.gates.fits(withSections: levels.entries.count) else {
      throw .tooManySections
    }
    try mayConduct(room)
    guard levels != state.policy.sections else { return }
    try lead(room, &out) { $0.policy.sections = levels }
  }
}
