import MoTime

/// Where the shared time is read: from the keeper, or from a member that is fewer steps from it.
///
/// Who does not hear the keeper asks another, and adds a step. A clock that nobody keeps cannot run away with two who
/// read it from each other: the keeper's signs of life have stopped then.
extension SessionCore {
  /// Steps from the keeper's clock to the own one.
  var stratum: Int32 {
    guard isSynced else { return Brief.farthest }
    if isKeeper { return 0 }
    return min(Brief.farthest, (sync.source.flatMap { members[$0]?.brief.stratum } ?? Brief.farthest) + 1)
  }

  /// Chooses who tells the time.
  mutating func chooseSource(at now: HostTime) {
    guard let base, !isKeeper else {
      sync.source = nil
      return
    }
    if tells(base.keeper, at: now) {
      sync.source = base.keeper
    } else if let near = nearest(at: now) {
      // Another that is as near is no reason to change.
      let isGood = sync.source.map { tells($0, at: now) && members[$0]?.brief.stratum == near.stratum }
      if isGood != true { sync.source = near.id }
    }
  }

  /// Who does not hear the keeper, and is here, and the fewest steps from it.
  private func nearest(at now: HostTime) -> (id: MemberID, stratum: Int32)? {
    var best: (id: MemberID, stratum: Int32)?
    for (id, member) in members where member.brief.stratum < Brief.farthest - 1 && tells(id, at: now) {
      if let best, (best.stratum, best.id) < (member.brief.stratum, id) { continue }
      best = (id, member.brief.stratum)
    }
    return best
  }

  /// Whether a member is here and goes by the clock that we go by.
  private func tells(_ id: MemberID, at now: HostTime) -> Bool {
    guard let base, let member = members[id], isHere(member, at: now) else { return false }
    return id == base.keeper ? member.brief.base?.lineage == base.lineage : member.brief.base == base
  }
}
