import MoCore

extension SessionCore {
  /// What is looked after four times a second.
  mutating func sweep(at now: HostTime) {
    nextSweep = now.advanced(bySeconds: 0.25)
    rooms.forget(at: now)
    names.forget(at: now)
    lookThroughRoster(at: now)
    succeed(at: now)
    chooseMeasured(at: now)
    lookForConductor(at: now)
    noteAbsence(at: now)
    lookAfterShared(at: now)
    advanceMerge(at: now)
    forgetParts(at: now)
    watchLeaders(at: now)
    noteAbsentees(at: now)
  }

  /// Asks the keeper and the conductor whether they are there when they are silent, and notes in time that they are
  /// not.
  private mutating func watchLeaders(at now: HostTime) {
    for id in [base?.keeper, state.conductor].compactMap({ $0 }) where id != me {
      guard let lastHeard = members[id]?.lastHeard else { continue }
      let silent = now.seconds(since: lastHeard)
      if silent > Self.doubt, silent < Self.absence {
        if let next = measured[id]?.nextPing {
          measured[id]?.nextPing = min(next, now.advanced(bySeconds: 0.15))
        } else if let endpoint = members[id]?.endpoint {
          send(hello(.answer, wantsAnswer: true, to: endpoint, now: now), to: endpoint)
        }
        askElsewhere(id, now: now)
      }
      let gone = lastHeard.advanced(bySeconds: Self.absence)
      if gone > now { nextSweep = min(nextSweep, gone) }
    }
  }

  /// Whose clocks are measured: the keeper's, that of who tells the time in its place, that of who would come after
  /// the keeper, and that of a keeper we are about to follow.
  private mutating func chooseMeasured(at now: HostTime) {
    var wanted: [MemberID] = []
    if let keeper = base?.keeper { wanted.append(keeper) }
    chooseSource(at: now)
    if let source = sync.source { wanted.append(source) }
    if let merge, let teller = teller(of: merge.base, rather: merge.teller, at: now) {
      self.merge?.teller = teller
      wanted.append(teller)
    }
    if let next = standby(at: now) { wanted.append(next) }
    for id in wanted where id != me && measured[id] == nil && members[id] != nil {
      measured[id] = Measurement(now: now)
    }
    for id in measured.keys where !wanted.contains(id) { measured[id] = nil }
  }
}
