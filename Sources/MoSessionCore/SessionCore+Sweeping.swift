import MoTime

extension SessionCore {
  /// What is looked after four times a second.
  mutating func sweep(at now: HostTime) {
    nextSweep = now.advanced(bySeconds: 0.25)
    rooms.forget(at: now)
    var gone: [MemberID] = []
    for (id, member) in members {
      if now.seconds(since: member.lastHeard) > patience(with: member, at: now) { gone.append(id) }
      if member.brief.version < state.version, member.push.since == nil { noteLag(of: id, now: now) }
    }
    for id in gone.sorted() { remove(id, said: false, now: now) }
    askSilent(at: now)
    succeed(at: now)
    chooseMeasured(at: now)
    lookForConductor(at: now)
    advanceMerge(at: now)
    watch(at: now)
  }

  /// Asks the keeper and the conductor whether they are there when they are silent, and notes in time that they are
  /// not.
  private mutating func watch(at now: HostTime) {
    for id in [base?.keeper, state.conductor].compactMap({ $0 }) where id != me {
      guard let member = members[id] else { continue }
      let silent = now.seconds(since: member.lastHeard)
      if silent > Self.doubt, silent < Self.absence, let next = measured[id]?.nextPing {
        measured[id]?.nextPing = min(next, now.advanced(bySeconds: 0.15))
      }
      let gone = member.lastHeard.advanced(bySeconds: Self.absence)
      if gone > now { nextSweep = min(nextSweep, gone) }
    }
  }

  /// Whose clocks are measured: the keeper's, the conductor's, that of who would come after the keeper, and that of
  /// a keeper we are about to follow.
  private mutating func chooseMeasured(at now: HostTime) {
    var wanted: [MemberID] = []
    if let keeper = base?.keeper { wanted.append(keeper) }
    if let conductor = state.conductor { wanted.append(conductor) }
    if let merging = merge?.base.keeper { wanted.append(merging) }
    if let next = standby(at: now) { wanted.append(next) }
    for id in wanted where id != me && measured[id] == nil && members[id] != nil {
      measured[id] = Measurement(now: now)
    }
    for id in measured.keys where !wanted.contains(id) { measured[id] = nil }
  }

  /// Who would keep the clock if the keeper were gone.
  private func standby(at now: HostTime) -> MemberID? {
    guard let base else { return nil }
    var first: (isHidden: Bool, id: MemberID)?
    for (id, member) in members where id != base.keeper && member.brief.base?.lineage == base.lineage {
      if let first, first.isHidden == member.isHidden ? first.id < id : member.isHidden { continue }
      if isHere(member, at: now) { first = (member.isHidden, id) }
    }
    return first?.id
  }
}
