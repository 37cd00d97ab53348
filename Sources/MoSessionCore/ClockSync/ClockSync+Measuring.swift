import MoCore

/// How the shared time is measured: from the keeper, or from a member that is fewer steps from it.
///
/// A member that does not hear the keeper asks another, and adds a step. A clock that nobody keeps cannot run away with two
/// members that read it from each other: the keeper's signs of life have stopped then.
extension ClockSync {
  /// Seconds that no answer takes on its way.
  static let longestWay = 2.0
  /// Courses that differ by no more than so many beats are one.
  static let continuous = 0.05

  // MARK: which clocks

  /// Chooses the clocks to measure: of the keeper, of the member that is read in its place, of the keeper's standby, and
  /// of a member of the part that is to be joined.
  mutating func chooseMeasured(_ roster: Roster, at now: HostTime) {
    var wanted: [MemberID] = []
    if let keeper = base?.keeper { wanted.append(keeper) }
    chooseSource(roster, at: now)
    if let source = sync.source { wanted.append(source) }
    if let merge, let teller = teller(of: merge.base, rather: merge.teller, roster, at: now) {
      self.merge?.teller = teller
      wanted.append(teller)
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
    if let teller = teller(of: base, rather: sync.source, roster, at: now) { sync.source = teller }
  }

  /// The member from which a clock is read: its keeper, else a member that is here and the fewest steps from it.
  ///
  /// - Parameter current: the member that it was read from so far; another that is as near is no reason to change.
  private func teller(
    of base: TimeBase, rather current: MemberID?, _ roster: Roster, at now: HostTime
  ) -> MemberID? {
    func tells(_ id: MemberID) -> Bool {
      guard let member = roster.members[id], roster.isHere(member, at: now) else { return false }
      return id == base.keeper ? member.brief.base?.lineage == base.lineage : member.brief.base == base
    }
    if tells(base.keeper) { return base.keeper }
    var best: (id: MemberID, stratum: Int32)?
    for (id, member) in roster.members where member.brief.stratum < Brief.farthest - 1 && tells(id) {
      if let best, (best.stratum, best.id) < (member.brief.stratum, id) { continue }
      best = (id, member.brief.stratum)
    }
    guard let current, let best, tells(current), roster.members[current]?.brief.stratum == best.stratum
    else { return best?.id }
    return current
  }

  // MARK: pings

  /// Sends the pings that are due.
  ///
  /// - Parameters:
  ///   - version: the version of this member's state.
  ///   - foreign: that of the state of the part that is to be joined, whose members compare it with theirs.
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
      let brief = brief(id == merge?.teller ? foreign : version, roster)
      out.send(
        .ping(SessionMessage.Ping(from: me, to: id, number: number, sent: now, brief: brief)), to: endpoint)
    }
  }

  /// Seconds to the next ping of a member.
  ///
  /// A member that the time is read from answers some 25 a second in all, and those next in line fewer.
  private func pingInterval(
    of id: MemberID, _ interval: Double, _ roster: Roster, at now: HostTime
  ) -> Double {
    let others = Double(max(1, roster.members.count))
    let silent = roster.members[id].map { now.seconds(since: $0.lastHeard) } ?? 0
    if id == base?.keeper, silent > Roster.doubt, silent < 2 * Roster.absence { return 0.15 }
    let isRead = id == base?.keeper || id == sync.source || id == merge?.teller
    guard isRead else { return max(1, others / 4) }
    return interval < 0.1 ? max(0.05, others / 800) : max(0.25, others / 25)
  }

  /// Asks the keeper and the conductor for a sign of life if they are silent, and lets a sweep find in time that they are
  /// gone.
  mutating func checkLeaders(
    conductor: MemberID?, _ roster: Roster, at now: HostTime, _ out: inout Effects
  ) {
    for id in [base?.keeper, conductor].compactMap({ $0 }) where id != me {
      guard let member = roster.members[id] else { continue }
      let silent = now.seconds(since: member.lastHeard)
      if silent > Roster.doubt, silent < Roster.absence {
        if let next = measured[id]?.nextPing {
          measured[id]?.nextPing = min(next, now.advanced(bySeconds: 0.15))
        } else {
          out.askForLife(at: member.endpoint)
        }
        roster.askElsewhere(id, &out)
      }
      let gone = member.lastHeard.advanced(bySeconds: Roster.absence)
      if gone > now { out.add(.sweep(by: gone)) }
    }
  }

  // MARK: pongs

  /// Takes in an answer to a ping; false if it was not asked for.
  mutating func receive(_ pong: SessionMessage.Pong, at arrival: HostTime) -> Bool {
    measured[pong.from]?.take(pong, returned: arrival) == true
  }

  /// Moves the shared clock towards what an exchange with a member has shown.
  mutating func synchronise(with id: MemberID, _ roster: Roster, at now: HostTime, _ out: inout Effects) {
    chooseSource(roster, at: now)
    guard let base, id == sync.source, roster.members[id]?.brief.base?.lineage == base.lineage,
      let map = maps[id], let measurement = measured[id],
      let estimate = measurement.comparison.estimate(at: now)
    else { return }
    // Its host clock has stepped, which the comparison has not found out yet.
    let way = estimate.other(at: now).seconds(since: map.host)
    guard abs(way) < Self.longestWay else { return }
    let wasSynced = isSynced
    let seen = map.seen(through: estimate)
    sync.take(estimate, seen, growth: growth(of: estimate, measurement), at: now)
    defer { if !wasSynced { out.add(.synced) } }
    let isSilent = !beatClock.isPlaying(at: now) && !goesBackIntoPlay(seen, at: now)
    if !beatClock.clock.hasStarted || sync.isArriving(at: now) { return settle(on: seen, at: now) }
    let gap = abs(Double(seen.other(at: now).nanoseconds &- beatClock.clock.other(at: now).nanoseconds))
    if gap > SyncProgress.farthestSlew {
      if isSilent { return settle(on: seen, at: now) }
      // Too far to be closed while it plays: at the next bar line, which is soon and where it is least heard.
      if sync.correctAt == nil {
        let at = barLine(after: now)
        sync.correctAt = at
        out.event(.correcting(at: at))
      }
      return
    }
    sync.correctAt = nil
    beatClock.clock.follow(seen, at: now)
  }

  /// Whether a rhythm that has just stopped here would play on for a moment by another estimate of the time.
  private func goesBackIntoPlay(_ seen: ClockEstimate, at now: HostTime) -> Bool {
    let time = SessionTime(nanoseconds: seen.other(at: now).nanoseconds)
    return time < beatClock.sessionTime(at: now) && beatClock.course?.isPlaying(at: time) == true
  }

  /// By how much an estimate's bound grows if no packet tells more, relative.
  private func growth(of estimate: ClockEstimate, _ measurement: Measurement) -> Double {
    let later = measurement.comparison.estimate(at: estimate.at.advanced(bySeconds: 10))
    return ((later?.errorBound ?? 0) - estimate.errorBound) / 10e9
  }

  private mutating func settle(on estimate: ClockEstimate, at now: HostTime) {
    let before = beatClock.beat(at: now)
    beatClock.clock.settle(on: estimate, at: now)
    sync.correctAt = nil
    keepFloor(before, at: now)
  }

  // MARK: bounds

  /// How far the shared clock shown here may be from the keeper's, in nanoseconds.
  func errorBound(_ roster: Roster, at now: HostTime) -> Double {
    guard isSynced else { return .infinity }
    return isKeeper ? 0 : bounds(roster, at: now).surely
  }

  /// How far the shared clock shown here may be from the keeper's, in nanoseconds: whatever the network does, and if
  /// it is alike both ways.
  private func bounds(_ roster: Roster, at now: HostTime) -> (surely: Double, likely: Double) {
    if let known = sync.source.flatMap({ bounds(by: $0, roster, at: now) }) { return known }
    let gap = abs(beatClock.clock.gap(at: now))
    let last = sync.bounds(at: now)
    return (last.surely + gap, last.likely + gap)
  }

  /// The bounds by a member that the time is read from: its own, and how far from it is what is shown here.
  private func bounds(
    by id: MemberID, _ roster: Roster, at now: HostTime
  ) -> (surely: Double, likely: Double)? {
    guard let member = roster.members[id], let map = maps[id],
      let estimate = measured[id]?.comparison.estimate(at: now)
    else { return nil }
    let told = map.seen(through: estimate).other(at: now).nanoseconds
    let gap = Double((beatClock.clock.other(at: now).nanoseconds &- told).magnitude)
    let likely = id == base?.keeper ? 0 : Double(member.report.symmetricMilliseconds) * 1e6
    return (estimate.errorBound + map.bound + gap, estimate.symmetricBound + likely + gap)
  }

  /// How well the shared clock is kept.
  func report(_ roster: Roster, at now: HostTime) -> Report {
    guard isSynced, !isKeeper else {
      return isKeeper ? Report(boundMilliseconds: 0, symmetricMilliseconds: 0) : Report()
    }
    return Report(
      boundMilliseconds: Float(errorBound(roster, at: now) * 1e-6),
      symmetricMilliseconds: Float(bounds(roster, at: now).likely * 1e-6),
      roundTripMilliseconds: Float(sync.roundTrip * 1e-6), loss: Float(sync.loss))
  }

  // MARK: a part to be joined

  /// Begins to measure the clock of a part that is to be joined.
  mutating func prepareMerge(
    with theirs: TimeBase, _ version: StateVersion, at now: HostTime, _ out: inout Effects
  ) {
    if let merge, merge.base != theirs, !isBetter(theirs, than: merge.base) { return }
    if merge?.base != theirs { merge = Merge(base: theirs, version: version, begun: now) }
    out.add(.sweep(by: now))
  }

  /// Which of two parts is rather joined.
  private func isBetter(_ one: TimeBase, than other: TimeBase) -> Bool {
    guard let left = pulses.standing(of: one), let right = pulses.standing(of: other) else { return false }
    if left.isPlaying != right.isPlaying { return left.isPlaying }
    return right.yields(to: left, isOlder: one.isOlder(than: other))
  }

  /// Whether the clock of the part that is to be joined is known here.
  func isMeasured(_ merge: Merge, _ roster: Roster) -> Bool {
    guard let id = merge.teller, roster.members[id] != nil, maps[id] != nil, let measurement = measured[id]
    else { return false }
    return measurement.exchanges >= 8
  }

  mutating func dropMerge() { merge = nil }

  /// Passes a part over that is not ready in time: it may be made up, and must not keep us from a true one.
  mutating func passOverIfLate(at now: HostTime) {
    guard let merge, now.seconds(since: merge.begun) > Merge.timeout else { return }
    passedOver[merge.base.lineage] = now.advanced(bySeconds: Merge.pause)
    self.merge = nil
  }

  mutating func forgetPassedOver(at now: HostTime) { passedOver = passedOver.filter { now < $0.value } }

  /// Sets the moment at which the parts become one: the next bar line, or at once while nothing plays.
  mutating func planMerge(at now: HostTime, _ out: inout Effects) {
    let at = beatClock.isPlaying(at: now) ? barLine(after: now) : now
    merge?.at = at
    out.event(.merging(at: at))
  }

  /// Goes over to the clock of another part; false if it cannot be read any more.
  mutating func finish(_ merge: Merge, at now: HostTime, _ out: inout Effects) -> Bool {
    guard let teller = merge.teller, let map = maps[teller], let measurement = measured[teller],
      let estimate = measurement.comparison.estimate(at: now)
    else { return false }
    base = merge.base
    keeperLostAt = nil
    (upcoming, beatClock.timeline, beatClock.floor) = (nil, nil, -.greatestFiniteMagnitude)
    let seen = map.seen(through: estimate)
    sync = SyncProgress()
    sync.source = teller
    sync.take(estimate, seen, growth: growth(of: estimate, measurement), at: now)
    beatClock.clock.settle(on: seen, at: now)
    out.event(.keeper(merge.base.keeper))
    out.event(.merged)
    return true
  }

  // MARK: what is shown

  /// Lets beats wait rather than go back, if they would go back a little.
  private mutating func keepFloor(_ before: Double?, at now: HostTime) {
    let time = beatClock.sessionTime(at: now)
    guard let before, let timeline = beatClock.timeline else { return }
    let lead = before - timeline.beat(at: time)
    beatClock.floor = lead > 0 && lead < Self.continuous ? before : -.greatestFiniteMagnitude
    beatClock.floorEnd = timeline.end(ofFloor: before, from: time)
  }

  /// The next bar line a moment away, or that moment while nothing plays.
  private func barLine(after now: HostTime) -> HostTime {
    let soon = now.advanced(bySeconds: 0.05)
    guard beatClock.isPlaying(at: now), let line = beatClock.time(of: .bar, from: soon) else { return soon }
    return line
  }

  /// Does what waited for a bar line.
  mutating func applySeams(at now: HostTime, _ out: inout Effects) {
    if let upcoming, now >= upcoming.at {
      self.upcoming = nil
      (beatClock.timeline, beatClock.floor) = (upcoming.timeline, -.greatestFiniteMagnitude)
      out.event(.timeline)
    }
    if let at = sync.correctAt, now >= at {
      sync.correctAt = nil
      if let teller = sync.source, let map = maps[teller],
        let estimate = measured[teller]?.comparison.estimate(at: now)
      {
        settle(on: map.seen(through: estimate), at: now)
      }
    }
  }

  /// Shows a course: at once if it continues what is heard, else from the next bar line on.
  ///
  /// Nothing is shown before the clock is known that it is on.
  mutating func show(_ new: Timeline?, at now: HostTime, _ out: inout Effects) {
    upcoming = nil
    guard isSynced else {
      (beatClock.timeline, beatClock.floor) = (nil, -.greatestFiniteMagnitude)
      return
    }
    let before = beatClock.beat(at: now)
    let isHeard = beatClock.isPlaying(at: now)
    let time = beatClock.sessionTime(at: now)
    if isHeard, let before, let new, new.isPlaying(at: time),
      abs(new.beat(at: time) - before) > Self.continuous
    {
      let at = barLine(after: now)
      upcoming = (new, at)
      out.event(.merging(at: at))
      return
    }
    beatClock.timeline = new
    if isHeard, new?.isPlaying(at: time) == true {
      keepFloor(before, at: now)
    } else {
      beatClock.floor = -.greatestFiniteMagnitude
    }
    out.event(.timeline)
  }
}
