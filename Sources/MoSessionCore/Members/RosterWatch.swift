import MoCore

/// When the roster is to be looked through again: most sweeps find nobody due, and need not ask everybody.
struct RosterWatch: Sendable {
  /// Nobody is to be asked for a sign of life, and nobody held to be gone, before.
  var next = HostTime.distantPast

  /// Who would keep the clock if the keeper were gone, as it was seen last, and for which clock.
  var standby: MemberID?
  var standbyBase: TimeBase?
  /// When somebody better is looked for.
  var nextStandby = HostTime.distantPast

  /// Seconds for which a newcomer who comes before the standby may have to wait.
  static let standbyPause = 1.0
}

extension SessionCore {
  /// Looks through the roster: who is gone, who is silent and to be asked, who lacks the state; and when the first of
  /// all these can be due again.
  ///
  /// Whoever is heard in between is due later, not sooner. Where a member leaves, those who stay are due sooner.
  mutating func lookThroughRoster(at now: HostTime) {
    guard now >= watch.next else { return }
    var next = HostTime.distantFuture
    var (gone, silent): ([MemberID], [MemberID]) = ([], [])
    var unanswered: [MemberID] = []
    for index in members.indices {
      let timeout = SilenceLimits(
        with: members.values[index].lastHeard, lastCalled: members.values[index].lastCalled,
        among: members.count)
      if now > timeout.end {
        gone.append(members.keys[index])
      } else if now > timeout.question {
        silent.append(members.keys[index])
        if now.seconds(since: timeout.question) > 0.6 { unanswered.append(members.keys[index]) }
      }
      next = min(next, min(timeout.end, timeout.question))
      if members.values[index].push.since == nil, members.values[index].brief.version < state.version {
        noteLag(of: members.keys[index], now: now)
      }
    }
    watch.next = next
    for id in gone.sorted() { remove(id, said: false, now: now) }
    for id in silent.sorted() {
      if let endpoint = members[id]?.endpoint {
        send(hello(.answer, wantsAnswer: true, to: endpoint, now: now), to: endpoint)
      }
    }
    for id in unanswered.sorted() { askElsewhere(id, now: now) }
  }

  /// Asks a member for a sign of life at the addresses that it is not sent to.
  mutating func askElsewhere(_ id: MemberID, now: HostTime) {
    for endpoint in members[id]?.ways.others ?? [] {
      send(hello(.answer, wantsAnswer: true, to: endpoint, now: now), to: endpoint)
    }
  }

  /// Who would keep the clock if the keeper were gone.
  mutating func standby(at now: HostTime) -> MemberID? {
    guard let base else { return nil }
    if now < watch.nextStandby, watch.standbyBase == base,
      watch.standby.map({ isHere($0, at: now) && members[$0]?.brief.base?.lineage == base.lineage }) ?? true
    {
      return watch.standby
    }
    var first: (isHidden: Bool, id: MemberID)?
    for index in members.indices {
      let (id, isHidden) = (members.keys[index], members.values[index].isHidden)
      if let first, first.isHidden == isHidden ? first.id < id : isHidden { continue }
      guard id != base.keeper, members.values[index].brief.base?.lineage == base.lineage else { continue }
      if now.seconds(since: members.values[index].lastHeard) < Self.absence { first = (isHidden, id) }
    }
    (watch.standby, watch.standbyBase) = (first?.id, base)
    watch.nextStandby = now.advanced(bySeconds: RosterWatch.standbyPause)
    return first?.id
  }
}
