import MoCore

/// The keeper of the shared clock: the founding of a clock, the choice between two clocks, and the next keeper.
extension ClockSync {
  /// The seconds by which each candidate to become the keeper waits longer than the candidate before it.
  static let candidateDelay = 0.75
  /// The seconds that a member waits longer before it becomes the keeper, if it does not know the shared clock.
  ///
  /// Meanwhile a member that knows the clock can become the keeper.
  static let unsyncedDelay = 3.0

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

  /// Increases this member's pulse by 1 if this member is the keeper; see `KeeperPulses`.
  mutating func beat(_ standing: PartStanding, at now: HostTime) {
    if isKeeper, let base { pulses.beat(base, standing, at: now) }
  }
}
