import MoCore

extension SessionCore {
  /// Seconds of silence after which the conductor or the keeper is held to be gone.
  static let absence = 1.8
  /// Seconds of silence after which they are asked whether they are there.
  static let doubt = 1.1
  /// Seconds by which those who could keep the clock let each other go first.
  static let stagger = 0.75
  /// Seconds for which those who do not know the shared clock wait for one who does.
  static let ignorance = 3.0

  /// Whether a member has been heard lately; always true of oneself.
  func isHere(_ id: MemberID, at now: HostTime) -> Bool {
    if id == me { return true }
    return members[id].map { isHere($0, at: now) } ?? false
  }

  func isHere(_ member: Member, at now: HostTime) -> Bool {
    now.seconds(since: member.lastHeard) < Self.absence
  }

  /// Whether this member's clock is the room's.
  var isKeeper: Bool { base?.keeper == me }

  /// Whether there is a clock to go by.
  var isSynced: Bool { base != nil && sync.isKnown }

  /// Founds a room, if there is none and one comes before all others who are looking for one, too.
  mutating func foundIfFirst(at now: HostTime) {
    guard base == nil, !members.contains(where: { isBefore($0.key, $0.value) && isHere($0.value, at: now) })
    else {
      return
    }
    found(at: now)
  }

  /// Whether a member keeps a clock rather than oneself: who is shown before who is not, and then in their order.
  private func isBefore(_ id: MemberID, _ member: Member) -> Bool {
    member.isHidden == settings.isHidden ? id < me : settings.isHidden
  }

  mutating func found(at now: HostTime) {
    keep(TimeBase(lineage: newLineage(), founded: settings.calendar, term: 0, keeper: me), at: now)
  }

  /// Names a clock that nobody has gone by before: by its founder, and otherwise by chance if it founds another.
  private mutating func newLineage() -> MemberID {
    defer { foundings &+= 1 }
    return MemberID(me.bits ^ foundings &* 0x9E37_79B9_7F4A_7C15)
  }

  /// Weighs the clock that a member goes by against the own one.
  mutating func weigh(_ theirs: TimeBase, _ version: StateVersion, of id: MemberID, now: HostTime) {
    guard let mine = base else { return adopt(theirs, at: now) }
    guard theirs != mine, isKept(theirs, at: now) else { return }
    // A clock that was never known here, and that nobody keeps any more, is no reason to wait.
    if theirs.lineage != mine.lineage, !isSynced, !isKept(mine, at: now) {
      begin(anew: theirs, at: now)
      return
    }
    if theirs.lineage == mine.lineage {
      if !isKept(mine, at: now) || theirs.precedes(mine) { adopt(theirs, at: now) }
    } else if goesOver(to: theirs, at: now) {
      if let merge, merge.base != theirs, !isBetter(theirs, than: merge.base) { return }
      if merge?.base != theirs { merge = Merge(base: theirs, version: version, begun: now) }
      nextSweep = min(nextSweep, now)
    } else {
      noteOtherPart(theirs, at: now)
    }
  }

  /// Whether a clock's keeper is here and says it is; or others hear it who do.
  func isKept(_ base: TimeBase, at now: HostTime) -> Bool {
    if base.keeper == me { return self.base == base }
    if let keeper = members[base.keeper], isHere(keeper, at: now) { return keeper.brief.base == base }
    return pulses.isAlive(base, at: now, lastHeard: members[base.keeper]?.lastHeard)
  }

  private mutating func adopt(_ new: TimeBase, at now: HostTime) {
    let isOther = base?.keeper != new.keeper
    base = new
    keeperLostAt = nil
    if merge?.base.lineage == new.lineage { merge = nil }
    nextSweep = now
    if isOther {
      events.append(.keeper(new.keeper))
      // It may have been measured seldom so far, as the next in line.
      let soon = now.advanced(bySeconds: isSynced ? 0.25 : 0)
      if let next = measured[new.keeper]?.nextPing, next > soon { measured[new.keeper]?.nextPing = soon }
    }
    if let foreign, foreign.lineage == new.lineage {
      self.foreign = nil
      take(foreign, from: new.keeper, now: now)
    }
  }

  /// Becomes the keeper: the shared clock goes on from what is shown here, at the rate it has here.
  private mutating func keep(_ new: TimeBase, at now: HostTime) {
    anchor(beatClock.clock.other(at: now), at: now)
    let wasSynced = isSynced
    sync.keep()
    adopt(new, at: now)
    if !wasSynced { show(state.timeline, at: now) }
    discovery.nextHello = now
  }

  /// Goes by a clock that has nothing to do with the one before.
  private mutating func begin(anew new: TimeBase, at now: HostTime) {
    state = .none
    keepSilenceAlone()
    sharing.join()
    (upcoming, merge) = (nil, nil)
    sync = SyncProgress()
    beatClock = BeatClock(clock: SlewedClock(), timeline: nil)
    base = nil
    if new.keeper == me { keep(new, at: now) } else { adopt(new, at: now) }
    lookForConductor(at: now)
  }

  /// By how much a keeper's clock may run faster or slower than the crystal it is counted by, relative.
  ///
  /// Two crystals are 200 ppm apart at most. Rates that were badly measured would otherwise add up from keeper to keeper,
  /// until the others cannot follow.
  private static let farthestRate = 150e-6

  /// Lets the shared clock show a time now, and go on from there at the rate it has here.
  mutating func anchor(_ shown: HostTime, at now: HostTime) {
    let rate = max(-Self.farthestRate, min(Self.farthestRate, beatClock.clock.rate))
    beatClock.clock.settle(
      on: ClockEstimate(
        at: now, offset: shown.nanoseconds &- now.nanoseconds, rate: rate, errorBound: 0,
        symmetricBound: 0, roundTrip: 0, leastRoundTrip: 0, loss: 0), at: now)
  }

  /// Takes the keeper's place if it is gone and one is next in line: who is shown before who is not.
  ///
  /// Who is alone just goes on: there is nobody to agree with, and the rate is known.
  mutating func succeed(at now: HostTime) {
    guard let base, !isKept(base, at: now) else {
      keeperLostAt = nil
      return
    }
    let lost = keeperLostAt ?? now
    keeperLostAt = lost
    var (others, before) = (0, 0)
    for index in members.indices
    where now.seconds(since: members.values[index].lastHeard) < Self.absence {
      others += 1
      // A newcomer who does not know the clock yet is not waited for.
      let knows =
        members.values[index].brief.base?.lineage == base.lineage
        && members.values[index].report.boundMilliseconds.isFinite
      if knows && isBefore(members.keys[index], members.values[index]) { before += 1 }
    }
    guard others > 0 || !isSynced else { return }
    let patience = Double(before) * Self.stagger + (isSynced ? 0 : Self.ignorance)
    guard now.seconds(since: lost) >= patience else { return }
    // The clock that was gone by is lost, and with it the music's course.
    guard beatClock.clock.hasStarted else {
      return begin(
        anew: TimeBase(lineage: newLineage(), founded: settings.calendar, term: 0, keeper: me), at: now)
    }
    keep(
      TimeBase(lineage: base.lineage, founded: base.founded, term: base.term &+ 1, keeper: me), at: now)
  }
}
