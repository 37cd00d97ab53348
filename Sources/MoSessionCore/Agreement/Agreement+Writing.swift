import MoCore

/// The changes that this member makes.
extension Agreement {
  /// Returns the states that this member gave up for a diverging state in the last ten seconds.
  func recentlyAbandoned(at now: HostTime) -> [StateAncestor] {
    abandoned.filter { now.seconds(since: $0.at) < SeparatePart.memory }.map {
      StateAncestor($0.state.version)
    }
  }

  /// Returns whether a diverging state is a late copy of a state before a recently left state.
  ///
  /// Without this check, a late copy of a rhythm would win over the state that replaced the stop of this rhythm.
  func isLate(_ new: SessionState, at now: HostTime) -> Bool {
    abandoned.contains { entry in
      guard now.seconds(since: entry.at) < SeparatePart.memory else { return false }
      if StateAncestor(entry.state.version).isLater(than: new.version) { return true }
      // The present state continues the left state, or the left state belonged to another part of the room.
      return entry.state.version != new.version && entry.state.relation(of: new) == .older
        && (!entry.isRace || state.relation(of: entry.state) == .older)
    }
  }

  /// Returns the state that this member has left in a race and that continues `earlier`; nil if there is none.
  ///
  /// If `earlier` wins over the present state, the other members prefer the state that continues `earlier`, too.
  func abandonedState(
    after earlier: SessionState, from id: MemberID, _ room: RoomView
  ) -> SessionState? {
    let entry = abandoned.first { entry in
      entry.isRace && room.now.seconds(since: entry.at) < Self.race && entry.state.version != earlier.version
        && entry.state.relation(of: earlier) == .older && state.relation(of: entry.state) == .diverging
    }
    guard let entry else { return nil }
    guard entry.state.signature != nil else { return entry.state }
    // In a locked room, a member with the state `earlier` checks the writer of the state that continues it.
    var member = self
    member.state = earlier
    return member.isLegitimate(entry.state, from: id, room) ? entry.state : nil
  }

  /// Writes a new state with this member as its holder; begins a new epoch if this member does not conduct.
  package mutating func write(
    _ room: RoomView, _ out: inout Effects, _ change: (inout SessionState) -> Void
  ) {
    let (before, mine) = (state, room.installation)
    // An epoch of this member that was lost and came back may lack its last change.
    if state.conductor == room.me, state.version >= written, let next = state.version.revised(at: room.now) {
      state.version = next
    } else {
      let next = state.version.next(heldBy: room.me, after: highestEpoch, at: room.now)
      // A conductor whose epoch has no more revisions still conducts.
      let conducts = state.conductor == room.me && state.version >= written
      state.begin(next, abandoning: recentlyAbandoned(at: room.now))
      state.isHeld = conducts
    }
    (state.lineage, state.joins) = (room.clock.base?.lineage ?? room.me, .nobody)
    state.holderInstallation = mine
    if reserved == mine, !isExcluded(mine) { (state.policy.only, state.policy.lifted) = (mine, .nobody) }
    (state.lastChange, stateSince) = (state.version.revision, room.now)
    change(&state)
    recordStricter(before, at: room.now)
    if state.timeline != before.timeline {
      rhythmSince = room.now
      out.add(.show(state.timeline))
    }
    sendWritten(room, &out)
  }

  /// Writes a change of the state if this member may conduct; otherwise throws the reason.
  package mutating func writeIfPermitted(
    _ room: RoomView, _ out: inout Effects, _ change: (inout SessionState) -> Void
  ) throws(SessionRefusal) {
    try mayConduct(room)
    guard room.clock.isSynced else { throw .arriving }
    write(room, &out, change)
  }

  /// Writes a change of the gates, levels or silence as `writeIfPermitted` does.
  ///
  /// If a member of another installation conducts, this member takes the baton: only the conductor writes the state, and
  /// without this rule the rhythm would go on without a conductor. A conductor of this member's installation can take the
  /// free baton back with each of its keys.
  mutating func lead(
    _ room: RoomView, _ out: inout Effects, _ change: (inout SessionState) -> Void
  ) throws(SessionRefusal) {
    let isTakeover = conductor(room) != nil && state.holderInstallation != room.installation
    try writeIfPermitted(room, &out) { state in
      if isTakeover { state.isHeld = true }
      change(&state)
    }
  }

  /// Sends all members the state that this member has just written, even those that have not confirmed the previous
  /// state.
  package mutating func sendWritten(_ room: RoomView, _ out: inout Effects) {
    if room.roster.settings.signer != nil {
      state.signature = nil
      state.signature = room.roster.signed(.state(from: room.me, state), to: .nobody)
    }
    if state.version.holder == room.me { written = max(written, state.version) }
    highestEpoch = max(highestEpoch, state.version.counter)
    checkConductor(room, &out)
    pushes = [:]
    for id in room.members.keys { updatePush(of: id, room) }
    push(room, &out)
    out.add(.sweep(by: room.now))
  }

  /// Makes the state `held` override the state `replacedState`, in a new epoch that continues both.
  ///
  /// The holder of `held` keeps the baton. But if the policy of `held` excludes this holder, the room has no conductor,
  /// since the holder's next state would be refused again.
  mutating func writeOverride(
    keeping held: SessionState, replacing replacedState: SessionState, _ room: RoomView, _ out: inout Effects
  ) {
    var next = held
    let epochs = max(highestEpoch, replacedState.version.counter)
    next.joins = .nobody
    next.begin(
      held.version.handed(to: held.version.holder, by: room.me, after: epochs),
      after: replacedState == held ? nil : replacedState, isOverride: held == state)
    if !next.policy.permits(next.holderInstallation) { next.isHeld = false }
    handed = next.version
    adopt(next, isNewer: true, room, &out)
    if replacedState != held { stricter = nil }
    sendWritten(room, &out)
  }

  /// Announces the levels of the pattern in later bars; only the conductor may call this.
  mutating func announce(_ pattern: PatternPlan, _ room: RoomView, _ out: inout Effects) {
    // A forged state can have the last revision.
    guard let next = state.version.revised(at: room.now) else {
      return write(room, &out) { $0.pattern = pattern }
    }
    (state.pattern, state.version) = (pattern, next)
    sendWritten(room, &out)
  }
}
