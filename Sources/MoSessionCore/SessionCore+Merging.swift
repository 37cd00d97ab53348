import MoCore

/// A part of the room with another clock, about to become one with ours.
struct Merge: Hashable, Sendable {
  var base: TimeBase
  /// The music it is said to have.
  var version: StateVersion
  /// Who tells its time; nil while nobody is heard that does.
  var teller: MemberID?
  /// When it was first heard of.
  var begun: HostTime
  /// When it is done; nil while the other clock is still being measured.
  var at: HostTime?
}

extension SessionCore {
  /// Measures the clock of the part we are to join, and sets a bar line for it.
  mutating func advanceMerge(at now: HostTime) {
    guard var merge, merge.at == nil else { return }
    guard isWorthwhile(merge, at: now) else {
      self.merge = nil
      return
    }
    guard isReady(merge, at: now) else {
      // It may be made up, and must not keep us from a true one.
      if now.seconds(since: merge.begun) > Self.patienceWithPart {
        passedOver[merge.base.lineage] = now.advanced(bySeconds: Self.pauseForPart)
        self.merge = nil
      }
      return
    }
    let at = beatClock.isPlaying(at: now) ? barLine(after: now) : now
    merge.at = at
    self.merge = merge
    events.append(.merging(at: at))
  }

  /// Whether that part is still there, and still the one to join.
  private func isWorthwhile(_ merge: Merge, at now: HostTime) -> Bool {
    base != nil && isKept(merge.base, at: now) && goesOver(to: merge.base, at: now)
  }

  /// Whether its clock and its music are known here.
  private func isReady(_ merge: Merge, at now: HostTime) -> Bool {
    guard let id = merge.teller, let teller = members[id], teller.map != nil,
      let measurement = measured[id], measurement.exchanges >= 8
    else { return false }
    guard merge.version.counter > 0 else { return true }
    guard let foreign, foreign.lineage == merge.base.lineage,
      foreign.version >= min(merge.version, teller.brief.version), foreign.version.isPlausible(after: 0)
    else { return false }
    // People who let it be joined have given up what holds here.
    return state.joins == foreign.lineage || keepsRules(foreign, at: now)
  }

  /// Whether what holds here is kept in another part: nobody loses who may conduct, or gates, by meeting another part.
  private func keepsRules(_ other: SessionState, at now: HostTime) -> Bool {
    guard mayWrite(other.holderInstallation, at: now) else { return false }
    let (mine, theirs) = (standing(at: now).rank, other.policy.rank)
    return theirs > mine || theirs == mine && (mine != 1 || other.policy.gates == state.policy.gates)
  }

  private mutating func finishMerge(_ merge: Merge, at now: HostTime) {
    self.merge = nil
    guard let teller = merge.teller, isWorthwhile(merge, at: now), isReady(merge, at: now),
      let map = members[teller]?.map,
      let measurement = measured[teller], let estimate = measurement.comparison.estimate(at: now)
    else { return }
    // A state that was kept of another part has nothing to do with this one.
    let next = foreign.flatMap { $0.lineage == merge.base.lineage ? $0 : nil }
    foreign = nil
    base = merge.base
    keeperLostAt = nil
    state = .none
    keepSilenceAlone()
    sharing.join()
    (upcoming, beatClock.timeline, beatClock.floor) = (nil, nil, -.greatestFiniteMagnitude)
    let seen = map.seen(through: estimate)
    sync = SyncProgress()
    sync.source = teller
    sync.take(estimate, seen, growth: growth(of: estimate, measurement), at: now)
    beatClock.clock.settle(on: seen, at: now)
    events.append(.keeper(merge.base.keeper))
    events.append(.merged)
    if let next { adopt(next, isNewer: false, at: now) }
    lookForConductor(at: now)
  }

  /// The next bar line a moment away, or that moment where nothing plays.
  func barLine(after now: HostTime) -> HostTime {
    let soon = now.advanced(bySeconds: 0.05)
    guard beatClock.isPlaying(at: now), let line = beatClock.time(of: .bar, from: soon) else { return soon }
    return line
  }

  /// Does what waited for a bar line.
  mutating func applySeams(at now: HostTime) {
    if let merge, let at = merge.at, now >= at { finishMerge(merge, at: now) }
    if let upcoming, now >= upcoming.at {
      self.upcoming = nil
      (beatClock.timeline, beatClock.floor) = (upcoming.timeline, -.greatestFiniteMagnitude)
      events.append(.timeline)
    }
    if let at = sync.correctAt, now >= at {
      sync.correctAt = nil
      if let teller = sync.source, let map = members[teller]?.map,
        let estimate = measured[teller]?.comparison.estimate(at: now)
      {
        settle(on: map.seen(through: estimate), at: now)
      }
    }
  }
}
