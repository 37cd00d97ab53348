import MoCore

/// The merging of two parts of a room: `clock` measures the other part's clock, `agreement` decides which part joins.
extension SessionCore {
  /// Compares the clock that a member follows with this member's clock, and prepares a merge if this part is to join.
  mutating func compareClock(_ theirs: TimeBase, _ version: StateVersion, at now: HostTime) {
    let isOtherPart = clock.compareClock(theirs, roster, at: now, &out)
    drain(at: now)
    guard isOtherPart else { return }
    if agreement.partYields(to: theirs, view(now)) {
      clock.prepareMerge(with: theirs, version, at: now, &out)
    } else {
      agreement.recordOtherPart(theirs, view(now), &out)
    }
    drain(at: now)
  }

  /// Schedules a merge at a bar line, once the other part's clock and music are known.
  mutating func advanceMerge(at now: HostTime) {
    guard let merge = clock.merge, merge.at == nil else { return }
    if !agreement.isStillValid(merge, view(now)) {
      clock.dropMerge()
    } else if isReady(for: merge, at: now) {
      clock.planMerge(at: now, &out)
    } else {
      agreement.withdrawDecision(about: merge, view(now), &out)
      clock.skipPartIfLate(at: now)
    }
    drain(at: now)
  }

  private func isReady(for merge: Merge, at now: HostTime) -> Bool {
    clock.isMeasured(merge, roster) && agreement.isReady(for: merge, view(now))
  }

  /// Applies the pending merge and the pending changes of timeline and clock, if their bar line has come.
  mutating func applyPendingChanges(at now: HostTime) {
    if let merge = clock.merge, let at = merge.at, now >= at { finish(merge, at: now) }
    clock.applyPendingChanges(at: now, &out)
    drain(at: now)
  }

  private mutating func finish(_ merge: Merge, at now: HostTime) {
    clock.dropMerge()
    let (left, isChosen) = (clock.base?.lineage, agreement.state.joins == merge.base.lineage)
    guard agreement.isStillValid(merge, view(now)), isReady(for: merge, at: now),
      clock.finish(merge, at: now, &out)
    else { return }
    // The state with the decision stays behind. A member of the part that was left may follow later: until it does,
    // that part must not take this member back.
    if isChosen, let left { clock.skipPart(left, at: now) }
    let music = agreement.popForeign(of: merge.base)
    agreement.leaveClock(at: now)
    sharing.join()
    drain(at: now)
    if let music {
      agreement.adopt(music, isNewer: false, view(now), &out)
      agreement.claimRight(view(now), &out)
    }
    agreement.checkConductor(view(now), &out)
    drain(at: now)
  }
}
