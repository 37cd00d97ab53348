import MoCore

/// The state that all members agree on: the conductor, the policy, the timeline, and the call for silence.
///
/// If two members have different states, both decide by the same rules which state remains, and so agree again.
struct Agreement: Sendable {
  /// The agreed state, as this member has it.
  var state = SessionState.none
  /// The installation to which this program's setting gives the exclusive right to conduct; `nobody` for none.
  var reserved: MemberID
  /// The stored state of a part of the room whose clock this member does not follow yet; nil for none.
  var foreign: SessionState?
  /// The time at which this member first stored a state of that part, or last heard a present member report `foreign`.
  private(set) var foreignSince = HostTime.distantPast
  /// The part that plays separately from ours, with the time until which it is remembered; nil for none.
  var beside: PartBeside?
  /// The epochs that diverge from our state, each with the time since which the epoch counts as diverging.
  var epochsBeside: [UInt32: HostTime] = [:]
  /// The last two states that this member gave up for a diverging state, the later state first, each with the time.
  ///
  /// The next epoch that this member begins also counts as a continuation of these states. Otherwise a late copy of
  /// such a state could win over that epoch.
  private var left: [(state: SessionState, at: HostTime, isRace: Bool)] = []
  /// An earlier state with stricter rules, which the present state has replaced; nil for none.
  ///
  /// Until the time `until`, another member's state that was written at the same time as this earlier state can still
  /// arrive. See `hasLost`.
  private var stricter: (state: SessionState, until: HostTime)?
  /// The highest epoch that this member has heard of.
  ///
  /// A new epoch gets a higher number, even if the state of the highest epoch was lost.
  var highestEpoch: UInt32 = 0
  /// The newest version of the state that this member has written.
  var written = StateVersion.none
  /// The version of the last state in which this member gave the baton to a holder.
  ///
  /// At first, no other member has that state, so this member sends the state without delay.
  var handed = StateVersion.none
  /// The time at which this member received or wrote the last change of the state by a person.
  var stateSince: HostTime
  /// The time at which the timeline in this member's state last changed.
  private var rhythmSince = HostTime.distantPast
  /// The time since which the conductor is absent; nil while the conductor is here, and nil if there is no conductor.
  var conductorLostAt: HostTime?
  private var lastConductor: MemberID?
  /// The absence of the only installation that may conduct.
  var reservedAway: Absence?
  /// The call for silence in force, and this member's own call for silence.
  var silence = Silence()

  /// The members that lack the newest state, and the schedule for each.
  var pushes: [MemberID: StatePush] = [:]
  /// The earliest time at which the state is sent to a member that lacks it.
  var nextPush = HostTime.distantFuture
  /// The rate limit of sends of our state, for each member whose own state does not replace ours.
  var reminders: [MemberID: RateLimit] = [:]
  /// The rate limit of requests for the baton that are reported to the program while this member conducts.
  var batonQuestions = RateLimit()
  /// The rate limit of reactions to unauthorised states: to rewrite the valid state, or to relay the unauthorised
  /// state.
  var reaffirming = RateLimit()
  /// The rate limit of accepted epochs whose number is far above the known epochs (`StateVersion.isFar`).
  var epochJumps = RateLimit()

  /// The seconds within which two diverging states count as written at the same time.
  ///
  /// After this time, each member has received both states.
  static let race = 5.0
  /// The seconds for which a conductor that vanished keeps the baton, even if another member wants to start the rhythm.
  static let grace = 30.0
  /// Seconds after which a person can lift the exclusive right of an absent installation.
  static let lapse = 60.0

  init(reserved: MemberID, now: HostTime) { (self.reserved, stateSince) = (reserved, now) }

  /// The earliest time at which the state or this member's call for silence needs work, such as another send.
  var next: HostTime { min(nextPush, silence.next) }

  /// Shifts all stored times by the nanoseconds by which the host clock has stepped.
  mutating func shift(by nanoseconds: Int64, now: HostTime) {
    // A state written before a sleep was not written at the same time as the others' states written meanwhile.
    (stateSince, rhythmSince) = (.distantPast, .distantPast)
    foreignSince.shift(by: nanoseconds)
    reservedAway?.since.shift(by: nanoseconds)
    conductorLostAt?.shift(by: nanoseconds)
    // The next check notes the members that lack the state anew.
    (pushes, nextPush) = ([:], .distantFuture)
    silence.shift(by: nanoseconds)
    (beside, left, stricter) = (nil, [], nil)
    epochsBeside = epochsBeside.mapValues { _ in now.advanced(bySeconds: -1) }
  }

  /// Forgets a member that has left.
  ///
  /// - Parameter said: whether the member said goodbye. A conductor that said goodbye does not come back for the baton.
  mutating func forget(_ id: MemberID, said: Bool) {
    // A conductor that says goodbye does not come back for the baton.
    if said, id == state.conductor { conductorLostAt = .distantPast }
    (pushes[id], reminders[id]) = (nil, nil)
    silence.forget(id, said: said)
  }

  // MARK: the conductor

  /// Returns the conductor, if it is here, and not in a separate part of the room.
  func conductor(_ room: RoomView) -> MemberID? {
    state.conductor.flatMap { room.isHere($0) && !isApart(room.members[$0], room) ? $0 : nil }
  }

  /// Reports a change of the conductor.
  mutating func checkConductor(_ room: RoomView, _ out: inout Effects) {
    let conductor = conductor(room)
    conductorLostAt = state.conductor == nil || conductor != nil ? nil : conductorLostAt ?? room.now
    guard conductor != lastConductor else { return }
    lastConductor = conductor
    out.event(.conductor(conductor))
    out.add(.conductor)
    out.add(.sweep(by: room.now.advanced(bySeconds: 0.25)))
  }

  // MARK: receiving

  /// Processes a state that a member sends.
  mutating func receive(_ new: SessionState, from id: MemberID, _ room: RoomView, _ out: inout Effects) {
    guard new.lineage == room.clock.base?.lineage else {
      // Kept for the time when its clock is followed here, too.
      guard new.lineage == room.clock.merge?.base.lineage || room.clock.base == nil else { return }
      if replacesForeign(new, room) {
        // A chain of states that no member reports does not renew the time.
        if foreign?.lineage != new.lineage { foreignSince = room.now }
        foreign = new
      }
      noteForeign(room)
      out.add(.sweep(by: room.now))
      return
    }
    guard isPlausible(new.version, from: id, room) else {
      out.counts.unwanted += 1
      // A forger may have sent it to honest members, which now follow it: both sides are notified. A newcomer, which
      // has no state to compare it with, is not notified of epochs near the highest possible.
      let isUsable = state.version.counter > 0 || new.version.isPlausible(after: 2 * StateVersion.most)
      if isUsable, state.relation(of: new) != .older { noteStateBeside(new, room, &out) }
      return sendState(to: id, most: 1, room, &out)
    }
    let relation = state.relation(of: new)
    let later = relation == .beside ? stateLeft(after: new, from: id, room) : nil
    let isLate = relation == .beside && isLate(new, at: room.now)
    guard relation != .older, !isLate || later != nil else {
      // After a forged epoch, an older state may have the higher version. Its member then does not count as lacking ours.
      if new.version > state.version { sendState(to: id, most: 1, room, &out) }
      return
    }
    // The other members would refuse an epoch that continues this state.
    let isTooFar = !new.version.isPlausible(
      after: epochs(besides: id, room), within: StateVersion.window - 1)
    // The only installation that may conduct enters a room that plays: it continues that music.
    let isFound =
      !isTooFar && state.version == .none && only == room.installation
      && room.clock.sync.isArriving(at: room.now)
    guard isFound || isLegitimate(new, from: id, isTooFar: isTooFar, room) else {
      return refuse(new, from: id, isNewer: relation == .newer, isTooFar: isTooFar, room, &out)
    }
    let isRace = relation == .beside && isRace(with: new, from: id, room)
    if isRace, hasLost(new, at: room.now) { return sendStricter(to: id, room, &out) }
    let wins = relation == .newer || yields(to: new, isRace: isRace)
    if wins, isRace, let later {
      adopt(later, isNewer: false, room, &out)
      // The state that was adopted in between loses to `new`, so this member now refuses it.
      stricter = (new, room.now.advanced(bySeconds: Self.race))
      return
    }
    guard !isLate else { return }
    guard wins else {
      noteStateBeside(new, room, &out)
      return sendState(to: id, most: 1, room, &out)
    }
    // Otherwise a member that has not adopted it yet could send us our old state, as if both were written just now.
    if relation == .beside {
      left = Array(([(state, room.now, isRace)] + left).prefix(2))
      if !isRace { noteLeft(for: new, at: room.now) }
    }
    let wasExcluded = isExcluded(room.installation)
    adopt(new, isNewer: relation == .newer, room, &out)
    if isFound || wasExcluded { claimRight(room, &out) }
  }

  /// Writes this installation's exclusive right to conduct into the state, if the state lacks this right.
  ///
  /// The right then applies to all members, even after this member has left.
  mutating func claimRight(_ room: RoomView, _ out: inout Effects) {
    guard only == room.installation, state.policy.only != only else { return }
    write(room, &out) { _ in }
  }

  /// Returns whether a state from a part with a different clock replaces the stored state `foreign`.
  ///
  /// A plausible state replaces a stored state whose epoch is too far ahead, which is probably forged. Otherwise the
  /// forged state would keep out the true state of the part. A forged state can also be the newer state. Therefore a
  /// state that no present member reports never replaces a reported state; a reported state replaces a state that no
  /// present member has reported for `Roster.absence` seconds.
  ///
  /// - Parameter room: nil if the members' reports do not matter.
  private func replacesForeign(_ new: SessionState, _ room: RoomView? = nil) -> Bool {
    guard let foreign, foreign.lineage == new.lineage else { return true }
    let epochs = state.joins == new.lineage ? 2 * StateVersion.most : 0
    let isUsable = new.version.isPlausible(after: epochs)
    guard isUsable == foreign.version.isPlausible(after: epochs) else { return isUsable }
    if let room {
      let (isReported, isOldReported) = (isReported(new, room), isReported(foreign, room))
      if isOldReported, !isReported { return false }
      let isForgotten = room.now.seconds(since: foreignSince) > Roster.absence
      if isReported, !isOldReported, isForgotten { return true }
    }
    return foreign.relation(of: new) != .older
  }

  /// Notes the time if a present member reports the stored state `foreign`.
  mutating func noteForeign(_ room: RoomView) {
    if let foreign, isReported(foreign, room) { foreignSince = room.now }
  }

  /// Returns whether a present member reports a state as its own.
  func isReported(_ other: SessionState, _ room: RoomView) -> Bool {
    room.members.values.contains {
      room.isHere($0) && $0.brief.base?.lineage == other.lineage && $0.brief.version == other.version
    }
  }

  /// Adopts the stored state `foreign`, if it belongs to the clock `base`, which this member now follows.
  mutating func followed(_ base: TimeBase, _ room: RoomView, _ out: inout Effects) {
    guard let foreign, foreign.lineage == base.lineage else { return }
    self.foreign = nil
    receive(foreign, from: base.keeper, room, &out)
  }

  /// Drops the state, since this member leaves the clock to which the state refers.
  ///
  /// A silence then applies to this member alone.
  ///
  /// - Parameter mayReturn: whether the state is kept as `foreign`: the next keeper may continue the same clock soon.
  mutating func leaveClock(mayReturn: Bool = false, at now: HostTime) {
    if mayReturn, state.version != .none, replacesForeign(state) { (foreign, foreignSince) = (state, now) }
    (state, left, stricter) = (.none, [], nil)
    silence.keepAlone()
  }

  /// Returns whether the room can have reached the epoch of a version; an epoch far above the known epochs may be
  /// forged.
  private mutating func isPlausible(_ version: StateVersion, from id: MemberID, _ room: RoomView) -> Bool {
    let epochs = epochs(besides: id, room)
    // Otherwise a stranger could raise it, jump by jump, to the highest possible in no time.
    return version.isPlausible(after: epochs)
      && (!version.isFar(after: epochs) || epochJumps.allows(at: room.now, most: 1))
  }

  /// Returns the highest epoch that this member knows without the reports of the member `id`; 0 for none.
  private func epochs(besides id: MemberID, _ room: RoomView) -> UInt32 {
    // A newcomer, or a member that left its clock, believes the epochs of the others; a single member's, without them.
    let heard = room.members.lazy.filter { $0.key != id }.map(\.value.brief.version.counter).max() ?? 0
    let isNew = state.version.counter == 0
    return isNew && heard == 0 ? 0 : max(highestEpoch, isNew ? min(heard, StateVersion.most) : 0)
  }

  /// Returns whether this member adopts the diverging state `new` by the rules, without a decision of a person.
  private func yields(to new: SessionState, isRace: Bool) -> Bool {
    var mine = state
    mine.policy.only = only
    return mine.yields(to: new, isRace: isRace)
  }

  /// Returns whether the state `new`, written at the same time as ours, loses to our earlier state `stricter`.
  ///
  /// Without this check, `new` would win over our present state, then lose to a late copy of the earlier state, and so
  /// on.
  private func hasLost(_ new: SessionState, at now: HostTime) -> Bool {
    // After eight epochs, neither our state nor `new` lists the earlier state: it would seem to diverge from both.
    guard let stricter, now < stricter.until, state.relation(of: stricter.state) == .older,
      stricter.state.relation(of: new) == .beside
    else { return false }
    return !stricter.state.yields(to: new, isRace: true)
  }

  /// Sends a member our earlier state `stricter`, to which the member's state loses, and then our present state.
  private mutating func sendStricter(to id: MemberID, _ room: RoomView, _ out: inout Effects) {
    guard let stricter, let endpoint = room.members[id]?.endpoint,
      reminders[id, default: RateLimit()].allows(at: room.now, most: 1)
    else { return }
    for state in [stricter.state, state] {
      if let message = message(telling: state, room) { out.send(message, to: endpoint) }
    }
  }

  /// Stores the replaced state `before` as `stricter` if the present state has weaker rules.
  private mutating func noteStricter(_ before: SessionState, at now: HostTime) {
    guard before.policy.rank > state.policy.rank else { return }
    if let stricter, now < stricter.until, stricter.state.policy.rank > before.policy.rank { return }
    stricter = (before, now.advanced(bySeconds: Self.race))
  }

  /// Returns whether a diverging state and ours were written at the same time, by members that heard each other.
  private func isRace(with new: SessionState, from id: MemberID, _ room: RoomView) -> Bool {
    // Both writers heard each other if the other has been here since our state was written.
    let writer = room.members[new.version.holder] ?? room.members[id]
    let isAtOnce =
      room.now.seconds(since: stateSince) < Self.race && writer.map { $0.hereSince < stateSince } ?? false
    // A new conductor does not make a running rhythm new for music that has nothing in common with it.
    let isOld =
      state.isPlaying && room.now.seconds(since: rhythmSince) >= Self.race && !state.isRelated(to: new)
    // A change to a rhythm that had already diverged from theirs is not a race with theirs.
    return isAtOnce && !isOld && !isKnownBeside(new, at: room.now)
  }

  /// Makes the state `new` the present state of this member.
  ///
  /// - Parameter isNewer: whether `new` continues the state before; false for a diverging state.
  mutating func adopt(_ new: SessionState, isNewer: Bool, _ room: RoomView, _ out: inout Effects) {
    highestEpoch = max(highestEpoch, new.version.counter)
    let before = state
    if new.version.epoch != before.version.epoch || new.lastChange != before.lastChange {
      stateSince = room.now
    }
    if new.timeline != before.timeline { rhythmSince = room.now }
    let isJoin = new.timeline != nil && beside?.state?.timeline?.take == new.timeline?.take
    silence.lift(by: new, isFollowing: isNewer && !isJoin, &out)
    state = new
    if isNewer { noteStricter(before, at: room.now) } else { stricter = nil }
    reportHandOver(after: before, &out)
    if isNewer, isStart(after: before, room) { out.event(.started) }
    if new.timeline != before.timeline { out.add(.show(new.timeline)) }
    if before.conductor == room.me, only != .nobody, only != room.installation {
      out.event(.refused(only: only))
    }
    checkConductor(room, &out)
    for id in room.members.keys { noteLag(of: id, room) }
  }

  /// Returns whether a rhythm was started between the state `before` and the present state.
  ///
  /// A rhythm that already played in the separate part, or before this member entered the room, does not count.
  private func isStart(after before: SessionState, _ room: RoomView) -> Bool {
    guard let timeline = state.timeline, timeline.last.isPlaying, timeline.take != before.timeline?.take
    else { return false }
    // A newcomer learns of a start of long ago.
    let time = room.clock.beatClock.sessionTime(at: room.now)
    let isFresh = timeline.last.start > time.advanced(bySeconds: -Self.race)
    return beside?.state?.timeline?.take != timeline.take && (before.version.counter > 0 || isFresh)
  }

  /// Reports that another member handed on the baton.
  private func reportHandOver(after before: SessionState, _ out: inout Effects) {
    guard let giver = before.conductor, let taker = state.conductor, giver != taker, state.version.isHanded,
      before.version.counter < state.version.counter,
      // A part that joins another follows that part's state first: no member handed anything on.
      state.ancestors.first?.epoch == before.version.epoch
    else { return }
    out.event(.handed(from: giver, to: taker))
  }

  /// Rejects a state that its holder may not write.
  ///
  /// This member then sends the valid state to the member `id`, or rewrites the valid state with a higher version.
  private mutating func refuse(
    _ new: SessionState, from id: MemberID, isNewer: Bool, isTooFar: Bool, _ room: RoomView,
    _ out: inout Effects
  ) {
    out.counts.gated += 1
    let isUntold = only == room.installation && state.policy.only != room.installation
    guard !isTooFar, isUntold || isNewer && isToReaffirm(room) else {
      if isNewer { passOn(new, room, &out) }
      // While the only installation that may conduct is away, no member here can decide between both.
      if !isNewer || isTooFar || absence(of: only, at: room.now) != nil { noteStateBeside(new, room, &out) }
      return sendState(to: id, most: 1, room, &out)
    }
    guard reaffirming.allows(at: room.now, most: 1) else { return }
    highestEpoch = max(highestEpoch, new.version.counter)
    if isUntold {
      write(room, &out) { _ in }
    } else if new.contradicts(state) {
      // Each of the two would overrule the other forever: they become separate parts, and people decide.
      pass(to: state, from: state, room, &out)
      noteStateBeside(new, room, &out)
    } else {
      pass(to: state, from: new, room, &out)
    }
  }

  /// Relays a refused state to a member that may conduct, in case that member does not hear the writer.
  ///
  /// The member then writes a newer state.
  private mutating func passOn(_ refused: SessionState, _ room: RoomView, _ out: inout Effects) {
    // From a member that may conduct, it would count as that member's own state.
    guard !permits(room.installation), let message = message(telling: refused, room),
      let authority = room.members.filter({ isAllowed($0.value, room) && !isApart($0.value, room) }).keys
        .min(),
      let endpoint = room.members[authority]?.endpoint, reaffirming.allows(at: room.now, most: 1)
    else { return }
    out.send(message, to: endpoint)
  }

  // MARK: writing

  /// Returns the states that this member gave up for a diverging state in the last ten seconds.
  func recentlyLeft(at now: HostTime) -> [StateAncestor] {
    left.filter { now.seconds(since: $0.at) < PartBeside.memory }.map { StateAncestor($0.state.version) }
  }

  /// Returns whether a diverging state is a late copy of a state before a recently left state.
  ///
  /// Without this check, a late copy of a rhythm would win over the state that replaced the stop of this rhythm.
  private func isLate(_ new: SessionState, at now: HostTime) -> Bool {
    left.contains { gone in
      guard now.seconds(since: gone.at) < PartBeside.memory else { return false }
      if StateAncestor(gone.state.version).isLater(than: new.version) { return true }
      // The present state continues the left state, or the left state belonged to another part of the room.
      return gone.state.version != new.version && gone.state.relation(of: new) == .older
        && (!gone.isRace || state.relation(of: gone.state) == .older)
    }
  }

  /// Returns the state that this member has left in a race and that continues `earlier`; nil if there is none.
  ///
  /// If `earlier` wins over the present state, the other members prefer the state that continues `earlier`, too.
  private func stateLeft(
    after earlier: SessionState, from id: MemberID, _ room: RoomView
  ) -> SessionState? {
    let gone = left.first { gone in
      gone.isRace && room.now.seconds(since: gone.at) < Self.race && gone.state.version != earlier.version
        && gone.state.relation(of: earlier) == .older && state.relation(of: gone.state) == .beside
    }
    guard let gone else { return nil }
    guard gone.state.signature != nil else { return gone.state }
    // In a locked room, a member with the state `earlier` checks the writer of the state that continues it.
    var member = self
    member.state = earlier
    return member.isLegitimate(gone.state, from: id, room) ? gone.state : nil
  }

  /// Writes a new state with this member as its holder; begins a new epoch if this member does not conduct.
  mutating func write(
    _ room: RoomView, _ out: inout Effects, _ change: (inout SessionState) -> Void
  ) {
    let (before, mine) = (state, room.installation)
    // An epoch of this member that was lost and came back may lack its last change.
    if state.conductor == room.me, state.version >= written {
      state.version = state.version.revised
    } else {
      let next = state.version.next(heldBy: room.me, after: highestEpoch)
      state.begin(next, leaving: recentlyLeft(at: room.now))
      state.isHeld = false
    }
    (state.lineage, state.joins) = (room.clock.base?.lineage ?? room.me, .nobody)
    state.holderInstallation = mine
    if reserved == mine, !isExcluded(mine) { (state.policy.only, state.policy.lifted) = (mine, .nobody) }
    (state.lastChange, stateSince) = (state.version.revision, room.now)
    change(&state)
    noteStricter(before, at: room.now)
    if state.timeline != before.timeline {
      rhythmSince = room.now
      out.add(.show(state.timeline))
    }
    wrote(room, &out)
  }

  /// Writes a change of the state if this member may conduct; otherwise throws the reason.
  mutating func agree(
    _ room: RoomView, _ out: inout Effects, _ change: (inout SessionState) -> Void
  ) throws(SessionRefusal) {
    try mayConduct(room)
    guard room.clock.isSynced else { throw .arriving }
    write(room, &out, change)
  }

  /// Sends all members the state that this member has just written, even those that have not confirmed the previous
  /// state.
  mutating func wrote(_ room: RoomView, _ out: inout Effects) {
    if room.roster.settings.signer != nil {
      state.signature = nil
      state.signature = room.roster.signed(.state(from: room.me, state), to: .nobody)
    }
    if state.version.holder == room.me { written = max(written, state.version) }
    highestEpoch = max(highestEpoch, state.version.counter)
    checkConductor(room, &out)
    pushes = [:]
    for id in room.members.keys { noteLag(of: id, room) }
    push(room, &out)
    out.add(.sweep(by: room.now))
  }

  /// Makes the state `held` override the state `left`, in a new epoch that continues both.
  ///
  /// The holder of `held` keeps the baton. But if the policy of `held` excludes this holder, the room has no conductor,
  /// since the holder's next state would be refused again.
  mutating func pass(
    to held: SessionState, from left: SessionState, _ room: RoomView, _ out: inout Effects
  ) {
    var next = held
    let epochs = max(highestEpoch, left.version.counter)
    next.joins = .nobody
    next.begin(
      held.version.handed(to: held.version.holder, by: room.me, after: epochs),
      after: left == held ? nil : left)
    if !next.policy.permits(next.holderInstallation) { next.isHeld = false }
    handed = next.version
    adopt(next, isNewer: true, room, &out)
    if left != held { stricter = nil }
    wrote(room, &out)
  }

  /// Announces the levels of the pattern in later bars; only the conductor may call this.
  mutating func announce(_ pattern: PatternPlan, _ room: RoomView, _ out: inout Effects) {
    state.pattern = pattern
    state.version = state.version.revised
    wrote(room, &out)
  }
}
