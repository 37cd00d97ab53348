import MoCore

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
    if let teller = teller(of: base, rather: sync.source, at: now) { sync.source = teller }
  }

  /// Who tells the time of a clock: its keeper, else who is here and the fewest steps from it.
  ///
  /// - Parameter current: who told it so far; another that is as near is no reason to change.
  func teller(of base: TimeBase, rather current: MemberID?, at now: HostTime) -> MemberID? {
    func tells(_ id: MemberID) -> Bool {
      guard let member = members[id], isHere(member, at: now) else { return false }
      return id == base.keeper ? member.brief.base?.lineage == base.lineage : member.brief.base == base
    }
    if tells(base.keeper) { return base.keeper }
    var best: (id: MemberID, stratum: Int32)?
    for (id, member) in members where member.brief.stratum < Brief.farthest - 1 && tells(id) {
      if let best, (best.stratum, best.id) < (member.brief.stratum, id) { continue }
      best = (id, member.brief.stratum)
    }
    guard let current, let best, tells(current), members[current]?.brief.stratum == best.stratum else {
      return best?.id
    }
    return current
  }
}
