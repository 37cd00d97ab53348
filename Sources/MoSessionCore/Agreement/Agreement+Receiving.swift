import MoCore

/// Another member's state: whether it is accepted, and whether it replaces the own state.
extension Agreement {
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
      markForeignReported(room)
      out.add(.sweep(by: room.now))
      return
    }
    guard isPlausible(new.version, from: id, room) else {
      out.counts.unwanted += 1
      // A forger may have sent it to honest members, which now follow it: both sides are notified. A newcomer, which
      // has no state to compare it with, is not notified of epochs near the highest possible.
      let isUsable = state.version.counter > 0 || new.version.isPlausible(after: 2 * StateVersion.most)
      if isUsable, state.relation(of: new) != .older { recordDivergingState(new, room, &out) }
      return sendState(to: id, most: 1, room, &out)
    }
    let relation = state.relation(of: new)
    let later = relation == .diverging ? abandonedState(after: new, from: id, room) : nil
    let isLate = relation == .diverging && isLate(new, at: room.now)
    guard relation != .older, !isLate || later != nil else {
      // After a forged epoch, an older state may have the higher version. Its member then does not count as lacking
      // ours.
      if new.version > state.version { sendState(to: id, most: 1, room, &out) }
      // Its members refuse our state: both sides are notified.
      if isTooFarAhead(of: new) { recordDivergingState(new, room, &out) }
      return
    }
    // The other members would refuse an epoch that continues this state.
    let isTooFar = !new.version.isPlausible(
      after: epochs(excluding: id, room), within: StateVersion.window - 1)
    // The only installation that may conduct enters a room that plays: it continues that music.
    let isFound =
      !isTooFar && state.version == .none && only == room.installation
      && room.clock.sync.isArriving(at: room.now)
    guard isFound || isLegitimate(new, from: id, isTooFar: isTooFar, room) else {
      return refuse(new, from: id, isNewer: relation == .newer, isTooFar: isTooFar, room, &out)
    }
    if !isTooFar, overridesOvertaking(new, room, &out) { return }
    let isRace = relation == .diverging && isRace(with: new, from: id, room)
    if isRace, hasLost(new, at: room.now) { return sendStricter(to: id, room, &out) }
    let wins = relation == .newer || yields(to: new, isRace: isRace)
    let wasExcluded = isExcluded(room.installation)
    if wins, isRace, let later {
      adopt(later, isNewer: false, room, &out)
      if wasExcluded { claimRight(room, &out) }
      // The state that was adopted in between loses to `new`, so this member now refuses it.
      stricter = (new, room.now.advanced(bySeconds: Self.race))
      return
    }
    guard !isLate else { return }
    guard wins else {
      recordDivergingState(new, room, &out)
      return sendState(to: id, most: 1, room, &out)
    }
    // Otherwise a member that has not adopted it yet could send us our old state, as if both were written just now.
    if relation == .diverging {
      abandoned = Array(([(state, room.now, isRace)] + abandoned).prefix(2))
      if !isRace { recordAbandonedEpochs(for: new, at: room.now) }
    }
    adopt(new, isNewer: relation == .newer, room, &out)
    if isFound || wasExcluded { claimRight(room, &out) }
  }

  /// Writes this installation's exclusive right to conduct into the state, if the state lacks this right, or if another
  /// installation conducts against it.
  ///
  /// The right then applies to all members, even after this member has left. Only a forged state names this right and a
  /// different conductor; its members may have adopted it as newcomers, or before they knew the right.
  mutating func claimRight(_ room: RoomView, _ out: inout Effects) {
    let isInForce = state.policy.only == only && (!state.isHeld || state.holderInstallation == only)
    guard only == room.installation, !isInForce else { return }
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

  /// Stores the time if a present member reports the stored state `foreign`.
  mutating func markForeignReported(_ room: RoomView) {
    if let foreign, isReported(foreign, room) { foreignSince = room.now }
  }

  /// Returns whether a present member reports a state as its own.
  func isReported(_ other: SessionState, _ room: RoomView) -> Bool {
    room.members.values.contains {
      room.isHere($0) && $0.summary.base?.lineage == other.lineage && $0.summary.version == other.version
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
  /// - Parameters:
  ///   - mayReturn: whether the state is kept as `foreign`: the next keeper may continue the same clock soon.
  ///   - lineage: the lineage of the clock that this member follows next; nil for none.
  mutating func leaveClock(mayReturn: Bool = false, to lineage: MemberID? = nil, at now: HostTime) {
    // A member that followed another clock for a short time only has its state again on the first clock.
    let isReturn =
      foreign != nil && foreign?.lineage == lineage && now.seconds(since: foreignSince) <= Roster.absence
    if mayReturn, !isReturn, state.version != .none, replacesForeign(state) {
      (foreign, foreignSince) = (state, now)
    }
    (state, abandoned, stricter) = (.none, [], nil)
    silence.restrictToSelf()
  }

  /// Returns whether the room can have reached the epoch of a version; an epoch far above the known epochs may be
  /// forged.
  private mutating func isPlausible(_ version: StateVersion, from id: MemberID, _ room: RoomView) -> Bool {
    let epochs = epochs(excluding: id, room)
    // Otherwise a stranger could raise it, jump by jump, to the highest possible in no time.
    return version.isPlausible(after: epochs)
      && (!version.isFar(after: epochs) || epochJumps.allows(at: room.now, most: 1))
  }

  /// Returns whether our state continues the state `older`, but members with that state refuse ours, since its epoch is
  /// too far ahead.
  func isTooFarAhead(of older: SessionState) -> Bool {
    state.relation(of: older) == .older && older.version.counter > 0
      && !state.version.isPlausible(after: older.version.counter)
  }

  /// Returns the highest epoch that this member knows without the reports of the member `id`; 0 for none.
  private func epochs(excluding id: MemberID, _ room: RoomView) -> UInt32 {
    // A newcomer, or a member that left its clock, accepts the epochs of the others; a single member's, without them.
    let reportedEpoch =
      room.members.lazy.filter { $0.key != id }.map(\.value.summary.version.counter).max() ?? 0
    let isNew = state.version.counter == 0
    return isNew && reportedEpoch == 0
      ? 0 : max(highestEpoch, isNew ? min(reportedEpoch, StateVersion.most) : 0)
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
      stricter.state.relation(of: new) == .diverging
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
  mutating func recordStricter(_ before: SessionState, at now: HostTime) {
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
    return isAtOnce && !isOld && !isKnownDiverging(new, at: room.now)
  }
}
