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

  /// The seconds by which each candidate to become the keeper waits longer than the candidate before it.
  static let candidateDelay = 0.75
  /// The seconds that a member waits longer before it becomes the keeper, if it does not know the shared clock.
  ///
  /// Meanwhile a member that knows the clock can become the keeper.
  static let unsyncedDelay = 3.0
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

  // MARK: the keeper

  /// Founds a room if no room is known here, and if this member comes before all other members that also look for a
  /// room.
  package mutating func foundIfFirst(_ roster: Roster, at now: HostTime, _ out: inout Effects) {
    guard base == nil,
      !roster.members.contains(where: {
        isBefore($0.key, $0.value, roster) && roster.isHere($0.value, at: now)
      })
    else { return }
    found(roster, at: now, &out)
  }

  mutating func found(_ roster: Roster, at now: HostTime, _ out: inout Effects) {
    becomeKeeper(newBase(roster), at: now, &out)
  }

  /// Returns the base of a new clock of this member.
  ///
  /// Its lineage is this member's ID, or a pseudo-random ID if this member has founded a clock before.
  private mutating func newBase(_ roster: Roster) -> TimeBase {
    defer { foundedClocks &+= 1 }
    let lineage = MemberID(me.bits ^ foundedClocks &* SplitMix.step)
    return TimeBase(lineage: lineage, founded: roster.settings.calendar, term: 0, keeper: me)
  }

  /// Returns whether a member becomes the keeper before this member: members that are not hidden come first, then lower
  /// IDs.
  private func isBefore(_ id: MemberID, _ member: Member, _ roster: Roster) -> Bool {
    member.isHidden == roster.settings.isHidden ? id < me : roster.settings.isHidden
  }

  /// Compares the clock that another member follows with our clock, and follows that clock if it has precedence.
  ///
  /// - Returns: whether that clock is the clock of another part of the room, which may be joined or stay separate.
  mutating func compareClock(
    _ theirs: TimeBase, _ roster: Roster, at now: HostTime, _ out: inout Effects
  ) -> Bool {
    guard let mine = base else {
      adopt(theirs, at: now, &out)
      return false
    }
    guard theirs != mine, hasKeeper(theirs, roster, at: now) else { return false }
    // An unknown clock without a keeper is no reason to wait.
    if theirs.lineage != mine.lineage, !isSynced, !hasKeeper(mine, roster, at: now) {
      restart(with: theirs, at: now, &out)
      return false
    }
    guard theirs.lineage == mine.lineage else { return true }
    // A member that knows the time does not follow a guess, even if it has lost its keeper: it keeps the clock itself.
    let mayFollow = !isSynced || !theirs.isGuess(after: mine)
    if theirs.precedes(mine) || mayFollow && !hasKeeper(mine, roster, at: now) {
      adopt(theirs, at: now, &out)
    }
    return false
  }

  /// Returns whether the keeper of the clock `base` still keeps that clock.
  ///
  /// A keeper that is here must report the clock itself. A keeper that is not here must be heard by other members.
  func hasKeeper(_ base: TimeBase, _ roster: Roster, at now: HostTime) -> Bool {
    if base.keeper == me { return self.base == base }
    let keeper = roster.members[base.keeper]
    if let keeper, roster.isHere(keeper, at: now) { return keeper.summary.base == base }
    return pulses.isAlive(base, at: now, lastHeard: keeper?.lastHeard)
  }

  private mutating func adopt(_ new: TimeBase, at now: HostTime, _ out: inout Effects) {
    let isOther = base?.keeper != new.keeper
    base = new
    keeperLostAt = nil
    if merge?.base.lineage == new.lineage { merge = nil }
    out.add(.sweep(by: now))
    if isOther {
      // As the next in line it may have been measured seldom so far.
      let soon = now.advanced(bySeconds: isSynced ? 0.25 : 0)
      if let next = measured[new.keeper]?.nextPing, next > soon { measured[new.keeper]?.nextPing = soon }
    }
    out.add(.followed(new))
  }

  /// Makes this member the keeper: its copy of the shared clock, with the copy's time and rate, becomes the shared
  /// clock.
  private mutating func becomeKeeper(_ new: TimeBase, at now: HostTime, _ out: inout Effects) {
    setCopy(beatClock.clock.other(at: now), at: now)
    let wasSynced = isSynced
    sync.becomeKeeper()
    adopt(new, at: now, &out)
    if !wasSynced { out.add(.synced) }
    out.add(.requestHello)
  }

  /// Follows a clock that is unrelated to the previous clock.
  private mutating func restart(with new: TimeBase, at now: HostTime, _ out: inout Effects) {
    out.add(.leftClock)
    (upcoming, merge) = (nil, nil)
    sync = SyncProgress()
    beatClock = BeatClock(clock: SlewedClock(), timeline: nil)
    base = nil
    if new.keeper == me { becomeKeeper(new, at: now, &out) } else { adopt(new, at: now, &out) }
    out.add(.checkConductor)
  }

  /// Sets this member's copy of the shared clock to the time `shown` at the moment `now`.
  ///
  /// The copy keeps its rate, clamped to at most `mostRate`.
  private mutating func setCopy(_ shown: HostTime, at now: HostTime) {
    let rate = max(-Self.mostRate, min(Self.mostRate, beatClock.clock.rate))
    beatClock.clock.settle(
      on: ClockEstimate(
        at: now, offset: shown.nanoseconds &- now.nanoseconds, rate: rate, errorBound: 0,
        symmetricBound: 0, roundTrip: 0, leastRoundTrip: 0, loss: 0), at: now)
  }

  /// Makes this member the keeper of the clock if the keeper is gone, and this member has waited its turn.
  ///
  /// Each candidate before this member in the order of `isBefore` makes the wait longer.
  ///
  /// A member that is alone does not become the keeper: its own copy of the clock continues at the known rate.
  package mutating func replaceKeeper(_ roster: Roster, at now: HostTime, _ out: inout Effects) {
    guard let base, !hasKeeper(base, roster, at: now) else {
      keeperLostAt = nil
      return
    }
    let lost = keeperLostAt ?? now
    keeperLostAt = lost
    var (others, before) = (0, 0)
    for (id, member) in roster.members where roster.isHere(member, at: now) {
      others += 1
      // A newcomer that does not know the clock yet is not waited for.
      let knows =
        member.summary.base?.lineage == base.lineage && member.report.boundMilliseconds.isFinite
      if knows && isBefore(id, member, roster) { before += 1 }
    }
    guard others > 0 || !isSynced else { return }
    let timeout = Double(before) * Self.candidateDelay + (isSynced ? 0 : Self.unsyncedDelay)
    guard now.seconds(since: lost) >= timeout else { return }
    // The clock in use is lost, and with it the timeline.
    guard beatClock.clock.hasStarted else { return restart(with: newBase(roster), at: now, &out) }
    // After a sleep its time is wrong; members that know the time must not follow it when they meet.
    let term = base.term &+ (isSynced ? 1 : TimeBase.termsPerGuess)
    becomeKeeper(
      TimeBase(lineage: base.lineage, founded: base.founded, term: term, keeper: me), at: now, &out)
  }

  /// Reports a new keeper to the program, once the keeper is in this member's list of members.
  ///
  /// A newcomer often learns of the keeper from other members, before it receives a message from the keeper.
  mutating func reportKeeper(_ roster: Roster, _ out: inout Effects) {
    guard let keeper = base?.keeper, keeper != reportedKeeper, keeper == me || roster.members[keeper] != nil
    else { return }
    reportedKeeper = keeper
    out.event(.keeper(keeper))
  }

  /// Increases this member's pulse by 1 if this member is the keeper; see `KeeperPulses`.
  mutating func beat(_ standing: PartStanding, at now: HostTime) {
    if isKeeper, let base { pulses.beat(base, standing, at: now) }
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
