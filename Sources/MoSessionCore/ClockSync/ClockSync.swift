import MoCore

/// The shared clock: its base, its measurement, and the beat shown by it.
///
/// At first, the founder's clock defines the shared time. If the keeper of the shared clock is lost, another member
/// becomes the keeper: usually, of the members that are not hidden, the member with the lowest ID.
package struct ClockSync: Sendable {
  package let me: MemberID
  /// The clock and timeline that give the beat to show and play now.
  package var beatClock = BeatClock(clock: SlewedClock(), timeline: nil)
  /// The base of the clock in use; nil before a room has been found or founded.
  package var base: TimeBase?
  package var sync = SyncProgress()
  /// The measurements of other members' clocks.
  package var measured: [MemberID: Measurement] = [:]
  /// The maps from members' host clocks to the shared clock, as the members have reported them.
  package var maps: [MemberID: ClockMap] = [:]
  var pulses = KeeperPulses()
  var keeperLostAt: HostTime?
  /// The number of clocks that this member has founded.
  var foundedClocks: UInt64 = 0
  package var merge: Merge?
  /// The parts that were not ready to be joined, by lineage, each with the time until which the part is ignored.
  var skippedParts: [MemberID: HostTime] = [:]
  /// The timeline that will replace the shown timeline at the time `at`, a bar line; nil if no change is planned.
  package var upcoming: (timeline: Timeline?, at: HostTime)?
  private var standby = Standby()
  /// The keeper that was last reported to the program.
  private var reportedKeeper = MemberID.nobody

  /// The member that would be the next keeper of a clock (the standby), and the time of the next choice of a standby.
  private struct Standby: Sendable {
    var member: MemberID?
    var base: TimeBase?
    var next = HostTime.distantPast
  }

  /// The seconds between two choices of the standby, the member that keeps the clock if the keeper goes.
  private static let standbyPause = 1.0
  /// The largest relative difference between the rates of the shared clock and of its keeper's host clock.
  ///
  /// Two crystals are at most 200 ppm apart. Badly measured rates would otherwise add up from keeper to keeper, until
  /// the other members cannot follow the clock.
  private static let mostRate = 150e-6

  package init(_ me: MemberID) { self.me = me }

  /// Whether the room follows this member's clock.
  package var isKeeper: Bool { base?.keeper == me }

  /// Whether the shared clock is known.
  package var isSynced: Bool { base != nil && sync.isKnown }

  /// The time of the next ping, or of the next planned correction, merge or change of the timeline.
  package var next: HostTime {
    var next = HostTime.distantFuture
    for place in measured.indices { next = min(next, measured.values[place].nextPing) }
    if let upcoming { next = min(next, upcoming.at) }
    if let at = sync.correctAt { next = min(next, at) }
    if let at = merge?.at { next = min(next, at) }
    return next
  }

  /// Handles a step of the host clock: all knowledge of the other clocks is void.
  ///
  /// The beat continues from the beat shown last. A keeper loses its role, since its clock has moved for all members. A
  /// keeper that is alone stays the keeper, with a `term` that counts as a guess.
  package mutating func step(from before: HostTime, to now: HostTime, isAlone: Bool) {
    if beatClock.clock.hasStarted { setCopy(beatClock.clock.other(at: before), at: now) }
    let nanoseconds = now.nanoseconds &- before.nanoseconds
    pulses.shift(by: nanoseconds)
    keeperLostAt?.shift(by: nanoseconds)
    upcoming?.at.shift(by: nanoseconds)
    standby = Standby()
    for id in Array(measured.keys) {
      measured[id]?.forget()
      measured[id]?.nextPing = now
    }
    (merge, skippedParts) = (nil, [:])
    sync = SyncProgress()
    guard isKeeper, let base else { return }
    if isAlone {
      // Others may have kept the clock on while this machine slept.
      self.base?.term &+= TimeBase.termsPerGuess
      sync.becomeKeeper()
    } else {
      self.base = TimeBase(lineage: base.lineage, founded: base.founded, term: base.term, keeper: .nobody)
    }
  }

  /// Sets this member's copy of the shared clock to the time `shown` at the moment `now`.
  ///
  /// The copy keeps its rate, clamped to at most `mostRate`.
  mutating func setCopy(_ shown: HostTime, at now: HostTime) {
    let rate = max(-Self.mostRate, min(Self.mostRate, beatClock.clock.rate))
    beatClock.clock.settle(
      on: ClockEstimate(
        at: now, offset: shown.nanoseconds &- now.nanoseconds, rate: rate, errorBound: 0,
        symmetricBound: 0, roundTrip: 0, leastRoundTrip: 0, loss: 0), at: now)
  }

  /// Stores a member's map to the shared clock; nil for none.
  ///
  /// If the map has jumped, the member's host clock has stepped, or the shared clock there has jumped. After a step,
  /// the map and the earlier exchanges with that host clock together would give a wrong time, so the comparison begins
  /// anew.
  package mutating func store(_ map: ClockMap?, of id: MemberID) {
    if let map, let last = maps[id], map.jump(from: last) > SyncProgress.mostSlew {
      measured[id]?.comparison.forget()
    }
    maps[id] = map
  }

  /// Stores a member's report of a keeper.
  mutating func store(_ base: TimeBase, _ pulse: Int32, _ standing: PartStanding, at now: HostTime) {
    pulses.store(base, pulse, standing, at: now)
  }

  /// Forgets a member that has left.
  mutating func forget(_ id: MemberID) { (measured[id], maps[id]) = (nil, nil) }

  /// Reports a new keeper to the program, once the keeper is in this member's list of members.
  ///
  /// A newcomer often learns of the keeper from other members, before it receives a message from the keeper.
  mutating func reportKeeper(_ roster: Roster, _ out: inout Effects) {
    guard let keeper = base?.keeper, keeper != reportedKeeper, keeper == me || roster.members[keeper] != nil
    else { return }
    reportedKeeper = keeper
    out.event(.keeper(keeper))
  }

  // MARK: reports to others

  /// Returns this member's stratum: 0 for the keeper, `StateSummary.mostStratum` while the shared clock is not known.
  func stratum(_ roster: Roster) -> Int32 {
    guard isSynced else { return StateSummary.mostStratum }
    if isKeeper { return 0 }
    return min(
      StateSummary.mostStratum,
      (sync.source.flatMap { roster.members[$0]?.summary.stratum } ?? StateSummary.mostStratum) + 1)
  }

  /// Returns this member's `StateSummary`, the summary of its knowledge for the other members.
  ///
  /// - Parameter version: the version of this member's state.
  func summary(_ version: StateVersion, _ roster: Roster) -> StateSummary {
    StateSummary(
      version: version, base: base, pulse: pulses.number(of: base),
      standing: pulses.standing(of: base) ?? PartStanding(), stratum: stratum(roster))
  }

  /// Returns the measured estimate of the shared clock; nil if no member is measured from which the time is read.
  package func estimate(at now: HostTime) -> ClockEstimate? {
    guard let source = sync.source, let map = maps[source],
      let estimate = measured[source]?.comparison.estimate(at: now)
    else { return nil }
    return map.combined(with: estimate)
  }

  /// Returns this member's map to the shared clock, for the other members.
  package func map(_ roster: Roster, at now: HostTime) -> ClockMap? {
    guard isSynced else { return nil }
    // Until the planned jump, this member's copy is known to be wrong. A member that reads the time from it must not
    // jump to the wrong time, and back later.
    if sync.correctAt != nil, let combined = estimate(at: now) {
      return ClockMap(
        host: now, session: SessionTime(nanoseconds: combined.other(at: now).nanoseconds),
        rate: combined.rate,
        bound: combined.errorBound)
    }
    let clock = beatClock.clock
    return ClockMap(
      host: now, session: SessionTime(nanoseconds: clock.other(at: now).nanoseconds), rate: clock.rate,
      bound: errorBound(roster, at: now))
  }

  // MARK: the standby

  /// Returns the member that would keep the clock if the keeper were gone.
  mutating func standby(_ roster: Roster, at now: HostTime) -> MemberID? {
    guard let base else { return nil }
    if now < standby.next, standby.base == base,
      standby.member.map({
        roster.isHere($0, at: now) && roster.members[$0]?.summary.base?.lineage == base.lineage
      }) ?? true
    {
      return standby.member
    }
    var first: (isHidden: Bool, id: MemberID)?
    for (id, member) in roster.members {
      if let first, first.isHidden == member.isHidden ? first.id < id : member.isHidden { continue }
      guard id != base.keeper, member.summary.base?.lineage == base.lineage else { continue }
      if roster.isHere(member, at: now) { first = (member.isHidden, id) }
    }
    standby = Standby(member: first?.id, base: base, next: now.advanced(bySeconds: Self.standbyPause))
    return first?.id
  }
}
