import MoCore

/// The change to another state, and the answer to a refused state.
extension Agreement {
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
    let theirs = separatePart?.state
    // No member joins a part with an older state.
    let isJoin =
      new.timeline != nil && theirs?.timeline?.take == new.timeline?.take
      && theirs.map { before.relation(of: $0) } != .older
    silence.lift(by: new, isFollowing: isNewer && !isJoin, &out)
    state = new
    if isNewer { recordStricter(before, at: room.now) } else { stricter = nil }
    reportHandOver(after: before, &out)
    if isNewer, isStart(after: before, room) { out.event(.started) }
    if new.timeline != before.timeline { out.add(.show(new.timeline)) }
    if before.conductor == room.me, only != .nobody, only != room.installation {
      out.event(.refused(only: only))
    }
    checkConductor(room, &out)
    for id in room.members.keys { updatePush(of: id, room) }
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
    return separatePart?.state?.timeline?.take != timeline.take && (before.version.counter > 0 || isFresh)
  }

  /// Reports that another member handed on the baton.
  private func reportHandOver(after before: SessionState, _ out: inout Effects) {
    guard let giver = before.conductor, let receiver = state.conductor, giver != receiver,
      state.version.isHanded,
      before.version.counter < state.version.counter,
      // A part that joins another follows that part's state first: no member handed anything on.
      state.ancestors.first?.epoch == before.version.epoch
    else { return }
    out.event(.handed(from: giver, to: receiver))
  }

  /// Rejects a state that its holder may not write.
  ///
  /// This member then sends the valid state to the member `id`, or rewrites the valid state with a higher version.
  mutating func refuse(
    _ new: SessionState, from id: MemberID, isNewer: Bool, isTooFar: Bool, _ room: RoomView,
    _ out: inout Effects
  ) {
    out.counts.gated += 1
    let isUntold = only == room.installation && state.policy.only != room.installation
    let isUnanswered = isNewer && !isTooFar && isUnanswered(new, room)
    guard !isTooFar, isUntold || isNewer && isToReaffirm(room) || isUnanswered else {
      if isNewer { relayRefused(new, room, &out) }
      // While the only installation that may conduct is away, no member here can decide between both.
      if !isNewer || isTooFar || absence(of: only, at: room.now) != nil {
        recordDivergingState(new, room, &out)
      }
      return sendState(to: id, most: 1, room, &out)
    }
    guard reaffirming.allows(at: room.now, most: 1) else { return }
    highestEpoch = max(highestEpoch, new.version.counter)
    if isUntold {
      write(room, &out) { _ in }
    } else if new.contradicts(state) {
      // Each of the two would overrule the other forever: they become separate parts, and people decide.
      writeOverride(keeping: state, replacing: state, room, &out)
      recordDivergingState(new, room, &out)
    } else {
      writeOverride(keeping: state, replacing: new, room, &out)
    }
  }

  /// Records that this member refuses a newer state; returns whether it must override that state although it is another
  /// member's turn.
  ///
  /// The member whose turn it is may not hear the writer. Therefore this member waits for at least 2 s, and longer if
  /// more members come before it. It then overrides the state, if it may conduct.
  private mutating func isUnanswered(_ new: SessionState, _ room: RoomView) -> Bool {
    var since = room.now
    // A new epoch can be the answer.
    if let refusals, refusals.epoch == state.version.epoch,
      room.now.seconds(since: refusals.last) < 2 * SeparatePart.memory
    {
      since = refusals.since
    }
    refusals = (since, room.now, state.version.epoch)
    guard permits(room.installation) else { return false }
    let authorities = room.members.filter { isAllowed($0.value, room) && !isApart($0.value, room) }
    let waited = room.now.seconds(since: since)
    // The answer, or the holder's last change, is on its way.
    let isToArrive = authorities.contains {
      let version = $0.value.summary.version
      return version > new.version
        || version > state.version
          && ($0.key == state.version.holder || version.epoch == state.version.epoch)
    }
    guard !isToArrive || waited >= SeparatePart.memory else { return false }
    return waited >= 2 + 0.5 * Double(min(authorities.keys.count { $0 < room.me }, 16))
  }

  /// Returns whether the diverging state `new` is an override whose writer lacked this member's last change.
  ///
  /// The state then names this member as its holder, and continues an epoch of this member. If its policy excludes this
  /// member, its writer would refuse the override of this member again.
  private func isOvertaken(_ new: SessionState, _ room: RoomView) -> Bool {
    let (mine, own) = (room.me, state.version)
    guard state.relation(of: new) == .diverging, new.version.isHanded, new.version.holder == mine,
      own.holder == mine, permits(room.installation), new.policy.permits(room.installation),
      !new.isSame(as: state)
    else { return false }
    var last = own
    last.revision = state.lastChange
    // An override lists the epoch of its holder first, then the refused state. If it overrides an override, the next
    // epoch is the holder's again. A state that hands the baton to this member lists the giver's epoch first: it can
    // contain later changes of the giver.
    for place in stride(from: 0, to: new.ancestors.count, by: 2) {
      let base = new.ancestors[place]
      guard
        base.epoch == own.epoch || own.isEarlier(epoch: base.epoch, of: mine)
          || new.version.isEarlier(epoch: base.epoch, of: mine)
      else { return false }
      let known = state.ancestors.filter { $0.epoch == base.epoch }
      // A diverging state does not contain this member's change in its present epoch.
      if !last.isHanded, base.epoch == own.epoch || !known.isEmpty { return true }
      if known.contains(where: { $0.revision > base.revision }) { return true }
    }
    return false
  }

  /// Overrides the state `new` if it is an override whose writer lacked this member's last change; returns whether it
  /// is such an override.
  ///
  /// This member overrides once in 5 s, since a member that has the room's passkey can forge such states.
  mutating func overridesOvertaking(_ new: SessionState, _ room: RoomView, _ out: inout Effects) -> Bool {
    guard isOvertaken(new, room) else { return false }
    if room.now.seconds(since: overtakenAt) >= Self.race {
      overtakenAt = room.now
      highestEpoch = max(highestEpoch, new.version.counter)
      writeOverride(keeping: state, replacing: new, room, &out)
    }
    return true
  }

  /// Relays a refused state to a member that may conduct, in case that member does not hear the writer.
  ///
  /// The member then writes a newer state.
  private mutating func relayRefused(_ refused: SessionState, _ room: RoomView, _ out: inout Effects) {
    // From a member that may conduct, it would count as that member's own state.
    guard !permits(room.installation), let message = message(telling: refused, room),
      let authority = authority(room),
      let endpoint = room.members[authority]?.endpoint, reaffirming.allows(at: room.now, most: 1)
    else { return }
    out.send(message, to: endpoint)
  }

  /// Returns the present member whose turn it is to override a refused state: the holder if it may conduct, else the
  /// member with the lowest ID that may conduct.
  private func authority(_ room: RoomView) -> MemberID? {
    let authorities = room.members.filter { isAllowed($0.value, room) && !isApart($0.value, room) }.keys
    return authorities.contains(state.version.holder) ? state.version.holder : authorities.min()
  }
}
