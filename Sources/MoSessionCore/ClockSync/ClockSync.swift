import MoCore

/// The shared clock: whose it is, how it is measured, and the beat that is shown by it.
///
/// The founder's clock defines the shared time. If its keeper is lost, the first in line carries on.
struct ClockSync: Sendable {
  let me: MemberID
  /// The beat, as it is to be shown and played now.
  var beatClock = BeatClock(clock: SlewedClock(), timeline: nil)
  /// Whose clock holds; nil before a room has been found or founded.
  var base: TimeBase?
  var sync = SyncProgress()
  /// The members whose clocks are measured.
  var measured: [MemberID: Measurement] = [:]
  /// Their own maps to the shared clock, as they said.
  var maps: [MemberID: ClockMap] = [:]
  var pulses = KeeperPulses()
  var keeperLostAt: HostTime?
  /// Counts the clocks that were founded here.
  var foundings: UInt64 = 0
  var merge: Merge?
  /// Parts that were to be joined and were not ready: they are passed over until then.
  var passedOver: [MemberID: HostTime] = [:]
  /// A course to be shown from the next bar line on.
  var upcoming: (timeline: Timeline?, at: HostTime)?
  private var standby = Standby()

  /// The member that would keep the clock next, for which clock, and when a better one is looked for.
  private struct Standby: Sendable {
    var member: MemberID?
    var base: TimeBase?
    var next = HostTime.distantPast
  }

  /// Seconds by which members that could keep the clock let each other go first.
  static let stagger = 0.75
  /// Seconds for which members that do not know the shared clock wait for one that does.
  static let ignorance = 3.0
  /// Seconds for which a newcomer that comes before the standby may have to wait.
  private static let standbyPause = 1.0
  /// By how much a keeper's clock may run faster or slower than the crystal that it is counted by, relative.
  ///
  /// Two crystals are 200 ppm apart at most. Rates that were badly measured would otherwise add up from keeper to keeper,
  /// until the others cannot follow.
  private static let farthestRate = 150e-6

  init(_ me: MemberID) { self.me = me }

  /// Whether this member's clock is the room's.
  var isKeeper: Bool { base?.keeper == me }

  /// Whether the shared clock is known.
  var isSynced: Bool { base != nil && sync.isKnown }

  /// When something is due.
  var next: HostTime {
    var next = HostTime.distantFuture
    for place in measured.indices { next = min(next, measured.values[place].nextPing) }
    if let upcoming { next = min(next, upcoming.at) }
    if let at = sync.correctAt { next = min(next, at) }
    if let at = merge?.at { next = min(next, at) }
    return next
  }

  /// The host clock has stepped from one time to another: what is known of the other clocks is void.
  ///
  /// The beat goes on from where it was shown last. A keeper gives up its place, since its clock has moved for everybody.
  mutating func step(from before: HostTime, to now: HostTime, isAlone: Bool) {
    if beatClock.clock.hasStarted { anchor(beatClock.clock.other(at: before), at: now) }
    let nanoseconds = now.nanoseconds &- before.nanoseconds
    pulses.shift(by: nanoseconds)
    keeperLostAt?.shift(by: nanoseconds)
    upcoming?.at.shift(by: nanoseconds)
    standby = Standby()
    for id in Array(measured.keys) {
      measured[id]?.forget()
      measured[id]?.nextPing = now
    }
    (merge, passedOver) = (nil, [:])
    sync = SyncProgress()
    guard isKeeper, let base else { return }
    if isAlone {
      sync.keep()
    } else {
      self.base = TimeBase(lineage: base.lineage, founded: base.founded, term: base.term, keeper: .nobody)
    }
  }

  /// Notes a member's own map to the shared clock; nil for none.
  mutating func note(_ map: ClockMap?, of id: MemberID) { maps[id] = map }

  /// Takes in what a member knows of a keeper.
  mutating func note(_ base: TimeBase, _ pulse: Int32, _ standing: PartStanding, at now: HostTime) {
    pulses.note(base, pulse, standing, at: now)
  }

  /// A member is gone.
  mutating func forget(_ id: MemberID) { (measured[id], maps[id]) = (nil, nil) }

  // MARK: whose clock holds

  /// Founds a room, if there is none and this member comes before all others that are looking for one, too.
  mutating func foundIfFirst(_ roster: Roster, at now: HostTime, _ out: inout Effects) {
    guard base == nil,
      !roster.members.contains(where: {
        isBefore($0.key, $0.value, roster) && roster.isHere($0.value, at: now)
      })
    else { return }
    found(roster, at: now, &out)
  }

  mutating func found(_ roster: Roster, at now: HostTime, _ out: inout Effects) {
    keep(newBase(roster), at: now, &out)
  }

  /// A clock that nobody has followed before, named by its founder, and by chance if that founds another.
  private mutating func newBase(_ roster: Roster) -> TimeBase {
    defer { foundings &+= 1 }
    let lineage = MemberID(me.bits ^ foundings &* SplitMix.step)
    return TimeBase(lineage: lineage, founded: roster.settings.calendar, term: 0, keeper: me)
  }

  /// Whether a member keeps a clock rather than this one: shown members before hidden ones, and then in their order.
  private func isBefore(_ id: MemberID, _ member: Member, _ roster: Roster) -> Bool {
    member.isHidden == roster.settings.isHidden ? id < me : roster.settings.isHidden
  }

  /// Weighs the clock that a member follows against the own one.
  ///
  /// - Returns: whether it is the clock of another part of the room, which is to be joined or goes on beside ours.
  mutating func weigh(
    _ theirs: TimeBase, _ roster: Roster, at now: HostTime, _ out: inout Effects
  ) -> Bool {
    guard let mine = base else {
      adopt(theirs, at: now, &out)
      return false
    }
    guard theirs != mine, isKept(theirs, roster, at: now) else { return false }
    // A clock that was never known here, and that nobody keeps any more, is no reason to wait.
    if theirs.lineage != mine.lineage, !isSynced, !isKept(mine, roster, at: now) {
      begin(anew: theirs, at: now, &out)
      return false
    }
    guard theirs.lineage == mine.lineage else { return true }
    if !isKept(mine, roster, at: now) || theirs.precedes(mine) { adopt(theirs, at: now, &out) }
    return false
  }

  /// Whether a clock's keeper is here and says it is; or others hear it that do.
  func isKept(_ base: TimeBase, _ roster: Roster, at now: HostTime) -> Bool {
    if base.keeper == me { return self.base == base }
    let keeper = roster.members[base.keeper]
    if let keeper, roster.isHere(keeper, at: now) { return keeper.brief.base == base }
    return pulses.isAlive(base, at: now, lastHeard: keeper?.lastHeard)
  }

  private mutating func adopt(_ new: TimeBase, at now: HostTime, _ out: inout Effects) {
    let isOther = base?.keeper != new.keeper
    base = new
    keeperLostAt = nil
    if merge?.base.lineage == new.lineage { merge = nil }
    out.add(.sweep(by: now))
    if isOther {
      out.event(.keeper(new.keeper))
      // It may have been measured seldom so far, as the next in line.
      let soon = now.advanced(bySeconds: isSynced ? 0.25 : 0)
      if let next = measured[new.keeper]?.nextPing, next > soon { measured[new.keeper]?.nextPing = soon }
    }
    out.add(.followed(new))
  }

  /// Becomes the keeper: the shared clock goes on from what is shown here, at the rate it has here.
  private mutating func keep(_ new: TimeBase, at now: HostTime, _ out: inout Effects) {
    anchor(beatClock.clock.other(at: now), at: now)
    let wasSynced = isSynced
    sync.keep()
    adopt(new, at: now, &out)
    if !wasSynced { out.add(.synced) }
    out.add(.callOut)
  }

  /// Follows a clock that has nothing to do with the one before.
  private mutating func begin(anew new: TimeBase, at now: HostTime, _ out: inout Effects) {
    out.add(.leftClock)
    (upcoming, merge) = (nil, nil)
    sync = SyncProgress()
    beatClock = BeatClock(clock: SlewedClock(), timeline: nil)
    base = nil
    if new.keeper == me { keep(new, at: now, &out) } else { adopt(new, at: now, &out) }
    out.add(.checkConductor)
  }

  /// Lets the shared clock show a time now, and go on from there at the rate it has here.
  private mutating func anchor(_ shown: HostTime, at now: HostTime) {
    let rate = max(-Self.farthestRate, min(Self.farthestRate, beatClock.clock.rate))
    beatClock.clock.settle(
      on: ClockEstimate(
        at: now, offset: shown.nanoseconds &- now.nanoseconds, rate: rate, errorBound: 0,
        symmetricBound: 0, roundTrip: 0, leastRoundTrip: 0, loss: 0), at: now)
  }

  /// Takes the keeper's place if it is gone and this member is next in line: shown members before hidden ones.
  ///
  /// A member that is alone just goes on: there is nobody to agree with, and the rate is known.
  mutating func succeed(_ roster: Roster, at now: HostTime, _ out: inout Effects) {
    guard let base, !isKept(base, roster, at: now) else {
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
        member.brief.base?.lineage == base.lineage && member.report.boundMilliseconds.isFinite
      if knows && isBefore(id, member, roster) { before += 1 }
    }
    guard others > 0 || !isSynced else { return }
    let timeout = Double(before) * Self.stagger + (isSynced ? 0 : Self.ignorance)
    guard now.seconds(since: lost) >= timeout else { return }
    // The clock that was followed is lost, and with it the music's course.
    guard beatClock.clock.hasStarted else { return begin(anew: newBase(roster), at: now, &out) }
    keep(
      TimeBase(lineage: base.lineage, founded: base.founded, term: base.term &+ 1, keeper: me), at: now, &out)
  }

  /// Counts a sign of life of this member, which keeps the clock.
  mutating func beat(_ standing: PartStanding, at now: HostTime) {
    if isKeeper, let base { pulses.beat(base, standing, at: now) }
  }

  // MARK: what others are told

  /// Steps from the keeper's clock to the own one.
  func stratum(_ roster: Roster) -> Int32 {
    guard isSynced else { return Brief.farthest }
    if isKeeper { return 0 }
    return min(
      Brief.farthest, (sync.source.flatMap { roster.members[$0]?.brief.stratum } ?? Brief.farthest) + 1)
  }

  /// What this member knows, in short.
  ///
  /// - Parameter version: the version of its state.
  func brief(_ version: StateVersion, _ roster: Roster) -> Brief {
    Brief(
      version: version, base: base, pulse: pulses.number(of: base),
      standing: pulses.standing(of: base) ?? PartStanding(), stratum: stratum(roster))
  }

  /// What others are told of the shared clock.
  func map(_ roster: Roster, at now: HostTime) -> ClockMap? {
    guard isSynced else { return nil }
    let clock = beatClock.clock
    return ClockMap(
      host: now, session: SessionTime(nanoseconds: clock.other(at: now).nanoseconds), rate: clock.rate,
      bound: errorBound(roster, at: now))
  }

  // MARK: the first in line

  /// The member that would keep the clock if the keeper were gone.
  mutating func standby(_ roster: Roster, at now: HostTime) -> MemberID? {
    guard let base else { return nil }
    if now < standby.next, standby.base == base,
      standby.member.map({
        roster.isHere($0, at: now) && roster.members[$0]?.brief.base?.lineage == base.lineage
      }) ?? true
    {
      return standby.member
    }
    var first: (isHidden: Bool, id: MemberID)?
    for (id, member) in roster.members {
      if let first, first.isHidden == member.isHidden ? first.id < id : member.isHidden { continue }
      guard id != base.keeper, member.brief.base?.lineage == base.lineage else { continue }
      if roster.isHere(member, at: now) { first = (member.isHidden, id) }
    }
    standby = Standby(member: first?.id, base: base, next: now.advanced(bySeconds: Self.standbyPause))
    return first?.id
  }
}
