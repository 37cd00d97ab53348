import MoCore

/// The measurement of the shared time: from the keeper, or from a member that is nearer to the keeper's clock.
///
/// A member that does not hear the keeper measures another member's clock. The stratum of the first member is then the
/// other member's stratum plus 1. Two members could read the clock of a lost keeper from each other, and drift away
/// together. But the keeper's pulses then stop, and another member becomes the keeper.
extension ClockSync {
  /// The largest plausible age, in seconds, of a member's last `ClockMap`, by the member's host clock.
  ///
  /// If the map seems to be older than this, or as far in the future, the member's host clock has stepped.
  static let longestAge = 2.0

  // MARK: sources

  /// Chooses the members whose clocks are measured.
  ///
  /// These are the keeper, the member that would be the next keeper (the standby), and a member of the part to join. If
  /// the keeper is not heard, the member from which the time is read is measured, too.
  package mutating func chooseMeasured(_ roster: Roster, at now: HostTime) {
    var wanted: [MemberID] = []
    if let keeper = base?.keeper { wanted.append(keeper) }
    chooseSource(roster, at: now)
    if let source = sync.source { wanted.append(source) }
    if let merge, let source = source(of: merge.base, preferring: merge.source, roster, at: now) {
      self.merge?.source = source
      wanted.append(source)
    }
    if let next = standby(roster, at: now) { wanted.append(next) }
    for id in wanted where id != me && measured[id] == nil && roster.members[id] != nil {
      measured[id] = Measurement(now: now)
    }
    for id in measured.keys where !wanted.contains(id) { measured[id] = nil }
  }

  /// Chooses the member from which the time is read.
  mutating func chooseSource(_ roster: Roster, at now: HostTime) {
    guard let base, !isKeeper else {
      sync.source = nil
      return
    }
    if let source = source(of: base, preferring: sync.source, roster, at: now) { sync.source = source }
  }

  /// Returns the member from which to read a clock: its keeper, else the present member with the lowest stratum.
  ///
  /// - Parameter current: the member from which the clock is read so far; it stays if no other member has a lower
  ///   stratum.
  private func source(
    of base: TimeBase, preferring current: MemberID?, _ roster: Roster, at now: HostTime
  ) -> MemberID? {
    func isSource(_ id: MemberID) -> Bool {
      guard let member = roster.members[id], roster.isHere(member, at: now) else { return false }
      return id == base.keeper ? member.summary.base?.lineage == base.lineage : member.summary.base == base
    }
    if isSource(base.keeper) { return base.keeper }
    var best: (id: MemberID, stratum: Int32)?
    for (id, member) in roster.members
    where member.summary.stratum < StateSummary.mostStratum - 1 && isSource(id) {
      if let best, (best.stratum, best.id) < (member.summary.stratum, id) { continue }
      best = (id, member.summary.stratum)
    }
    guard let current, let best, isSource(current), roster.members[current]?.summary.stratum == best.stratum
    else { return best?.id }
    return current
  }

  // MARK: pings

  /// Sends the pings that are due.
  ///
  /// - Parameters:
  ///   - version: the version of this member's state.
  ///   - foreign: the version of the state that this member has of the part to join; the members of that part compare
  ///     it with the version of their own state.
  mutating func measure(
    _ version: StateVersion, foreign: StateVersion, _ roster: Roster, at now: HostTime, _ out: inout Effects
  ) {
    guard measured.indices.contains(where: { now >= measured.values[$0].nextPing }) else { return }
    for id in measured.keys.sorted() {
      guard let place = measured.index(forKey: id), now >= measured.values[place].nextPing,
        let endpoint = roster.members[id]?.endpoint
      else { continue }
      measured.values[place].expire(at: now)
      let number = measured.values[place].ping(at: now)
      measured.values[place].nextPing = now.advanced(
        bySeconds: pingInterval(of: id, measured.values[place].comparison.interval, roster, at: now))
      let summary = summary(id == merge?.source ? foreign : version, roster)
      out.send(
        .ping(SessionMessage.Ping(from: me, to: id, number: number, sent: now, summary: summary)),
        to: endpoint)
    }
  }

  /// Returns the seconds until the next ping to a member.
  ///
  /// All members together send at most some 25 pings a second to a member from which they read the time. For the first
  /// 2 s of their measurements, they send up to 800 pings a second together, and up to 200 until 15 s. So a large room
  /// has a precise beat in its first minute, too. The members send fewer pings to the next keeper.
  private func pingInterval(
    of id: MemberID, _ interval: Double, _ roster: Roster, at now: HostTime
  ) -> Double {
    let others = Double(max(1, roster.members.count))
    let silent = roster.members[id].map { now.seconds(since: $0.lastHeard) } ?? 0
    if id == base?.keeper, silent > Roster.questionDelay, silent < 2 * Roster.absence { return 0.15 }
    let isRead = id == base?.keeper || id == sync.source || id == merge?.source
    guard isRead else { return max(1, others / 4) }
    if interval < 0.1 { return max(0.05, others / 800) }
    return interval < 0.2 ? max(0.125, others / 200) : max(0.25, others / 25)
  }

  /// Asks the keeper and the conductor for an answer while they are silent, and schedules the check of their absence.
  mutating func checkLeaders(
    conductor: MemberID?, _ roster: Roster, at now: HostTime, _ out: inout Effects
  ) {
    for id in [base?.keeper, conductor].compactMap({ $0 }) where id != me {
      guard let member = roster.members[id] else { continue }
      let silent = now.seconds(since: member.lastHeard)
      if silent > Roster.questionDelay, silent < Roster.absence {
        if let next = measured[id]?.nextPing {
          measured[id]?.nextPing = min(next, now.advanced(bySeconds: 0.15))
        } else {
          out.requestAnswer(at: member.endpoint)
        }
        roster.askOtherAddresses(id, &out)
      }
      let gone = member.lastHeard.advanced(bySeconds: Roster.absence)
      if gone > now { out.add(.sweep(by: gone)) }
    }
  }

  // MARK: pongs

  /// Processes an answer to a ping; returns false if this member waits for no such answer.
  package mutating func receive(_ pong: SessionMessage.Pong, at arrival: HostTime) -> Bool {
    guard let place = measured.index(forKey: pong.from) else { return false }
    let steps = measured.values[place].comparison.steps
    guard measured.values[place].receive(pong, returned: arrival) else { return false }
    // The stored map refers to the member's host clock before the step.
    if measured.values[place].comparison.steps != steps { maps[pong.from] = nil }
    return true
  }

  /// Corrects this member's copy of the shared clock after an exchange with a member, if the time is read from that
  /// member.
  mutating func synchronise(with id: MemberID, _ roster: Roster, at now: HostTime, _ out: inout Effects) {
    chooseSource(roster, at: now)
    guard let base, id == sync.source, roster.members[id]?.summary.base?.lineage == base.lineage,
      let map = maps[id], let measurement = measured[id],
      let estimate = measurement.comparison.estimate(at: now)
    else { return }
    // Its host clock has stepped, and the comparison has not detected that yet.
    let age = estimate.other(at: now).seconds(since: map.host)
    guard abs(age) < Self.longestAge else { return }
    let wasSynced = isSynced
    let combined = map.combined(with: estimate)
    sync.update(estimate, combined, growth: growth(of: estimate, measurement), at: now)
    defer { if !wasSynced { out.add(.synced) } }
    let isSilent = !beatClock.isPlaying(at: now) && !wouldReplay(combined, at: now)
    if !beatClock.clock.hasStarted || sync.isArriving(at: now) { return settle(on: combined, at: now) }
    let gap = abs(Double(combined.other(at: now).nanoseconds &- beatClock.clock.other(at: now).nanoseconds))
    if gap > SyncProgress.mostSlew {
      if isSilent { return settle(on: combined, at: now) }
      // Too far to be slewed while it plays: it jumps at the next bar line, which is soon and least audible.
      if sync.correctAt == nil {
        let at = barLine(after: now)
        sync.correctAt = at
        out.event(.correcting(at: at))
      }
      return
    }
    sync.correctAt = nil
    beatClock.clock.follow(combined, at: now)
  }

  /// Returns whether a rhythm that has just stopped here would play on for a moment if the shared clock were set back.
  ///
  /// - Parameter combined: the estimate to which the shared clock would be set.
  private func wouldReplay(_ combined: ClockEstimate, at now: HostTime) -> Bool {
    let time = SessionTime(nanoseconds: combined.other(at: now).nanoseconds)
    return time < beatClock.sessionTime(at: now) && beatClock.course?.isPlaying(at: time) == true
  }

  /// Returns how fast an estimate's error bound grows without new packets, in nanoseconds per nanosecond.
  func growth(of estimate: ClockEstimate, _ measurement: Measurement) -> Double {
    let later = measurement.comparison.estimate(at: estimate.at.advanced(bySeconds: 10))
    return ((later?.errorBound ?? 0) - estimate.errorBound) / 10e9
  }

  mutating func settle(on estimate: ClockEstimate, at now: HostTime) {
    let before = beatClock.beat(at: now)
    beatClock.clock.settle(on: estimate, at: now)
    sync.correctAt = nil
    keepFloor(before, at: now)
  }

  // MARK: bounds

  /// Returns the largest error, in nanoseconds, of this member's copy of the shared clock against the keeper's clock.
  ///
  /// The error is 0 for the keeper, and infinite while the shared clock is not known.
  func errorBound(_ roster: Roster, at now: HostTime) -> Double {
    guard isSynced else { return .infinity }
    return isKeeper ? 0 : bounds(roster, at: now).guaranteed
  }

  /// Returns bounds, in nanoseconds, of the error of this member's copy of the shared clock against the keeper's clock.
  ///
  /// `guaranteed` holds on any network, `likely` on a network with equal delays in both directions.
  private func bounds(_ roster: Roster, at now: HostTime) -> (guaranteed: Double, likely: Double) {
    if let known = sync.source.flatMap({ bounds(by: $0, roster, at: now) }) { return known }
    let gap = abs(beatClock.clock.gap(at: now))
    let last = sync.bounds(at: now)
    return (last.guaranteed + gap, last.likely + gap)
  }

  /// Returns the error bounds if the time is read from the member `id`; nil if that member's clock is not measured.
  ///
  /// Each bound is the sum of three errors: of the clock of `id` against the keeper's, of the measurement of that
  /// clock, and of this member's copy against the measured time.
  private func bounds(
    by id: MemberID, _ roster: Roster, at now: HostTime
  ) -> (guaranteed: Double, likely: Double)? {
    guard let member = roster.members[id], let map = maps[id],
      let estimate = measured[id]?.comparison.estimate(at: now)
    else { return nil }
    let measuredTime = map.combined(with: estimate).other(at: now).nanoseconds
    let gap = Double((beatClock.clock.other(at: now).nanoseconds &- measuredTime).magnitude)
    let likely = id == base?.keeper ? 0 : Double(member.report.symmetricMilliseconds) * 1e6
    return (estimate.errorBound + map.bound + gap, estimate.symmetricBound + likely + gap)
  }

  /// Returns the accuracy of the shared clock.
  func report(_ roster: Roster, at now: HostTime) -> Report {
    guard isSynced, !isKeeper else {
      return isKeeper ? Report(boundMilliseconds: 0, symmetricMilliseconds: 0) : Report()
    }
    return Report(
      boundMilliseconds: Float(errorBound(roster, at: now) * 1e-6),
      symmetricMilliseconds: Float(bounds(roster, at: now).likely * 1e-6),
      roundTripMilliseconds: Float(sync.roundTrip * 1e-6), loss: Float(sync.loss))
  }
}
