import MoCore

/// The right to conduct: by the `rhythm` gate, or as the exclusive right of a single installation (`only`).
extension Agreement {
  func permits(_ installation: MemberID) -> Bool {
    var policy = state.policy
    policy.only = only
    return policy.permits(installation)
  }

  func isAllowed(_ member: Member, _ room: RoomView) -> Bool {
    room.isHere(member) && permits(member.identity.installation)
  }

  /// Returns whether this member, or a member of our part that this member hears, may conduct.
  ///
  /// A member of a separate part does not count, even if this member hears it: otherwise each part could wait for a
  /// member of the other part.
  func hasConductor(_ room: RoomView) -> Bool {
    permits(room.installation)
      || room.members.values.contains { isAllowed($0, room) && !isApart($0, room) }
  }

  /// Returns whether a member is in a separate part: on another clock, or on our clock with a diverging state.
  ///
  /// Only the first separate part is reported to the program. Members of a third part count as apart, too: otherwise
  /// that part could wait for our members while our part waits for its members.
  func isApart(_ member: Member?, _ room: RoomView) -> Bool {
    guard let summary = member?.summary, let base = summary.base, let separatePart, separatePart.wasReported
    else {
      return false
    }
    guard base.lineage == room.clock.base?.lineage else {
      return base.lineage != room.clock.merge?.base.lineage
    }
    let version = summary.version
    // An epoch may have two branches: its holder took it while another member handed it the same.
    guard version.epoch != state.version.epoch else {
      return version == separatePart.state?.version && version != state.version
    }
    return version.epoch == separatePart.state?.version.epoch
      || divergingEpochs[version.epoch] != nil && !state.ancestors.contains { $0.epoch == version.epoch }
  }

  /// Returns whether the present policy lets an installation write the state.
  ///
  /// An installation with the exclusive right to conduct may write even if the gates exclude it. Otherwise its own
  /// gates could lock all members out. If no installation has that right, and the gates exclude all members that are
  /// here, all installations may write the state.
  func mayWrite(_ installation: MemberID, _ room: RoomView) -> Bool {
    if permits(installation) { return true }
    guard only == .nobody, ownWeight(.rhythm, room) == 0, !hasConductor(room) else { return false }
    // The keeper may hear a member that is not heard here. If the keeper is here and has the same rules, that member
    // counts.
    guard !room.clock.isKeeper, let base = room.clock.base, room.hasKeeper(base),
      !isApart(room.members[base.keeper], room), let standing = room.clock.pulses.standing(of: base),
      standing.hasConductor
    else { return true }
    return standing.rules != state.policy.digest
  }

  /// Returns whether this member accepts the state `new`, because its writer had the right to write it.
  ///
  /// This member accepts `new` in five cases:
  /// - The present policy lets the holder of `new` write the state.
  /// - A present member that may conduct sent `new`, or reports that it has `new`.
  /// - `new` continues the present state by a few epochs and changes at most announced levels of the pattern. An
  ///   example is an override of another state.
  /// - `new` lifts an exclusive right that has lapsed (`isLapsed`), or this member has no state yet.
  /// - The state cannot be checked here (`isCheckedElsewhere`).
  ///
  /// - Parameters:
  ///   - id: the member that sent the state `new`.
  ///   - isTooFar: whether no member that may conduct would override `new`; the last three cases then do not apply.
  func isLegitimate(
    _ new: SessionState, from id: MemberID, isTooFar: Bool = false, _ room: RoomView
  ) -> Bool {
    if mayWrite(new.holderInstallation, room) { return true }
    let isShared = room.members.contains {
      ($0.key == id || $0.value.summary.version == new.version) && isAllowed($0.value, room)
    }
    if isShared || isTooFar { return isShared }
    // If two members that may conduct do not hear each other, each would otherwise override the other's override. One
    // of them may lack the holder's last announcement of a level.
    if state.relation(of: new) == .newer, new.isSameButLevels(as: state),
      new.version.holder == state.version.holder,
      Int64(new.version.counter) - Int64(state.version.counter) <= StateAncestor.most
    {
      return true
    }
    if only != .nobody, new.policy.lifted == only, new.policy.only == .nobody {
      return state.version == .none || isLapsed(at: room.now)
    }
    return isCheckedElsewhere(new, room)
  }

  /// Returns whether this member accepts the state `new` unchecked, since another member near the keeper can check it.
  ///
  /// The result is true if the keeper, but not this member, hears a member that may conduct. The keeper and `new` must
  /// also have our rules for the right to conduct.
  ///
  /// If the member that may conduct rejects the state `new`, that member writes a newer state.
  private func isCheckedElsewhere(_ new: SessionState, _ room: RoomView) -> Bool {
    guard let base = room.clock.base, !hasConductor(room), room.hasKeeper(base),
      !isApart(room.members[base.keeper], room), let standing = room.clock.pulses.standing(of: base)
    else { return false }
    let (mine, theirs) = (state.policy.digest, new.policy.digest)
    return standing.hasConductor && standing.rules == mine && theirs == mine
  }

  /// Returns whether this member must rewrite the valid state, so that it overrides an unauthorised state.
  ///
  /// The holder must do so. If the holder is not here or may not conduct, the member with the lowest ID among those
  /// that may conduct must do so.
  func isToReaffirm(_ room: RoomView) -> Bool {
    guard permits(room.installation) else { return false }
    let holder = state.version.holder
    if holder == room.me { return true }
    if let member = room.members[holder], isAllowed(member, room), !isApart(member, room) { return false }
    return !room.members.contains {
      $0.key < room.me && isAllowed($0.value, room) && !isApart($0.value, room)
    }
  }

  /// Throws the reason for a refusal if this member may not conduct now.
  ///
  /// The right to conduct must not be reserved for another installation. If another member conducts, this member must
  /// have the exclusive right, or the weight 1 in the `rhythm` gate while the conductor has less.
  ///
  /// - Parameter isTaking: true if this member only takes the baton of an absent conductor, and the rhythm plays on. If
  ///   false, this member must wait while the rhythm plays, until the conductor has been away for `gracePeriod`
  ///   seconds.
  func mayConduct(_ room: RoomView, isTaking: Bool = false) throws(SessionRefusal) {
    let mine = room.installation
    try mayHold(mine, room)
    guard let holder = state.conductor, holder != room.me, only != mine,
      reserved != mine || isExcluded(mine)
    else { return }
    let name =
      room.members[holder]?.identity.name ?? room.roster.activityTimes.name(of: state.holderInstallation)
      ?? holder.description
    let gates = state.policy.gates
    if conductor(room) != nil {
      guard
        gates.weight(.rhythm, from: mine) < 1 || gates.weight(.rhythm, from: state.holderInstallation) >= 1
      else { return }
      throw .conducted(by: name)
    }
    // Its machine may be roaming between access points. A restart of the same installation continues the rhythm.
    let away = room.now.seconds(since: conductorLostAt ?? room.now)
    guard isTaking || !state.isPlaying || away >= Self.gracePeriod || state.holderInstallation == mine else {
      throw .away(name, seconds: Int(away + Roster.absence))
    }
  }

  /// Throws the reason for a refusal if an installation may not conduct by the present policy.
  ///
  /// The check ignores whether another member conducts at present.
  func mayHold(_ installation: MemberID, _ room: RoomView) throws(SessionRefusal) {
    guard only == .nobody || only == installation else {
      throw .reserved(only, away: absence(of: only, at: room.now))
    }
    guard mayWrite(installation, room) else { throw .closed(openers: openers(room)) }
  }

  /// Returns whether a member may send a leader's cue: the member conducts, or could take the baton at this moment.
  func mayLead(_ id: MemberID, _ installation: MemberID, _ room: RoomView) -> Bool {
    guard only == .nobody || only == installation else { return false }
    guard let conductor = conductor(room), conductor != id else { return mayWrite(installation, room) }
    let gates = state.policy.gates
    return gates.weight(.rhythm, from: installation) >= 1
      && gates.weight(.rhythm, from: state.holderInstallation) < 1
  }

  /// Returns the names of the present members that may open a `rhythm` gate; hidden members are left out.
  ///
  /// If another member conducts, the list has only the conductor's name.
  func openers(_ room: RoomView) -> [String] {
    if let conductor = conductor(room), conductor != room.me,
      let name = room.roster.names.name(of: conductor)
    {
      return [name]
    }
    return room.members.filter { !$0.value.isHidden && isAllowed($0.value, room) && !isApart($0.value, room) }
      .compactMap { room.roster.names.name(of: $0.key) }.sorted()
  }

  // MARK: gates

  /// Returns the weight, 0…1, with which a member influences this member.
  func weight(_ kind: GateKind, from id: MemberID, _ installation: MemberID, _ room: RoomView) -> Float {
    state.policy.gates.weight(
      kind, from: installation, to: room.installation, isElsewhere: room.roster.isElsewhere(id))
  }

  /// Returns the weight, 0…1, with which this member influences all members.
  func ownWeight(_ kind: GateKind, _ room: RoomView) -> Float {
    state.policy.gates.weight(kind, from: room.installation)
  }

  /// Returns a play as weakened by the gate that applies to it, with that gate's weight; nil if the gate blocks the
  /// play.
  func gated(
    _ play: SessionPlay, from id: MemberID, _ installation: MemberID, _ room: RoomView
  ) -> (SessionPlay, Float)? {
    let isOwn = id == room.me
    switch play {
    case .change:
      let weight = isOwn ? 1 : weight(.modification, from: id, installation, room)
      return weight > 0 ? (play, weight) : nil
    case .cue(let cue) where cue.sign == .askForBaton: return (play, 1)
    case .cue: return mayLead(id, installation, room) ? (play, 1) : nil
    // Shared data is the same for all, whatever the gates are.
    case .cells: return (play, 1)
    case .hit, .note, .melody, .gesture, .text:
      let weight = isOwn ? 1 : weight(.notes, from: id, installation, room)
      if weight == 1 { return (play, 1) }
      // A note that already sounds must end.
      if play.endsSound { return (play, weight) }
      return weight > 0 ? (play.weakened(by: weight), weight) : nil
    }
  }
}
