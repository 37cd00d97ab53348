import MoCore

extension SessionCore {
  /// Moves the shared clock towards what an exchange with who tells the time has shown.
  mutating func synchronise(with id: MemberID, now: HostTime) {
    chooseSource(at: now)
    guard let base, id == sync.source, members[id]?.brief.base?.lineage == base.lineage,
      let map = members[id]?.map, let measurement = measured[id],
      let estimate = measurement.comparison.estimate(at: now)
    else { return }
    // Its host clock has stepped, which the comparison has not found out yet.
    let way = estimate.other(at: now).seconds(since: map.host)
    guard abs(way) < Self.longestWay else { return }
    let wasSynced = isSynced
    let seen = map.seen(through: estimate)
    sync.take(estimate, seen, growth: growth(of: estimate, measurement), at: now)
    defer { if !wasSynced { show(state.timeline, at: now) } }
    let isSilent = !beatClock.isPlaying(at: now) && !goesBackIntoPlay(seen, at: now)
    if !beatClock.clock.hasStarted || sync.isArriving(at: now) { return settle(on: seen, at: now) }
    let gap = abs(Double(seen.other(at: now).nanoseconds &- beatClock.clock.other(at: now).nanoseconds))
    if gap > SyncProgress.farthestSlew {
      if isSilent { return settle(on: seen, at: now) }
      // Too far to be closed while it plays: at the next bar line, which is soon and where it is least heard.
      if sync.correctAt == nil {
        let at = barLine(after: now)
        sync.correctAt = at
        events.append(.correcting(at: at))
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

  /// By how much an estimate's bound grows where no packet tells more, relative.
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

  /// Lets beats wait rather than go back, where they would go back a little.
  mutating func keepFloor(_ before: Double?, at now: HostTime) {
    let time = beatClock.sessionTime(at: now)
    guard let before, let timeline = beatClock.timeline else { return }
    let lead = before - timeline.beat(at: time)
    beatClock.floor = lead > 0 && lead < Self.continuous ? before : -.greatestFiniteMagnitude
    beatClock.floorEnd = timeline.end(ofFloor: before, from: time)
  }

  /// Seconds that no answer takes on its way.
  static let longestWay = 2.0

  /// Courses that differ by no more than so many beats are one.
  static let continuous = 0.05

  /// What others are told of the shared clock.
  func map(at now: HostTime) -> ClockMap? {
    guard isSynced else { return nil }
    let clock = beatClock.clock
    return ClockMap(
      host: now, session: SessionTime(nanoseconds: clock.other(at: now).nanoseconds), rate: clock.rate,
      bound: errorBound(at: now))
  }

  /// How far the shared clock shown here may be from the keeper's, in nanoseconds.
  package func errorBound(at now: HostTime) -> Double {
    guard isSynced else { return .infinity }
    return isKeeper ? 0 : bounds(at: now).surely
  }

  /// How far the shared clock shown here may be from the keeper's, in nanoseconds: whatever the network does, and if
  /// it is alike both ways.
  private func bounds(at now: HostTime) -> (surely: Double, likely: Double) {
    if let known = sync.source.flatMap({ bounds(by: $0, at: now) }) { return known }
    let gap = abs(beatClock.clock.gap(at: now))
    let last = sync.bounds(at: now)
    return (last.surely + gap, last.likely + gap)
  }

  /// The bounds by one who tells the time: how far that may be wrong, and how far from it is what is shown here.
  private func bounds(by id: MemberID, at now: HostTime) -> (surely: Double, likely: Double)? {
    guard let member = members[id], let map = member.map,
      let estimate = measured[id]?.comparison.estimate(at: now)
    else { return nil }
    let told = map.seen(through: estimate).other(at: now).nanoseconds
    let gap = Double((beatClock.clock.other(at: now).nanoseconds &- told).magnitude)
    let likely = id == base?.keeper ? 0 : Double(member.report.symmetricMilliseconds) * 1e6
    return (estimate.errorBound + map.bound + gap, estimate.symmetricBound + likely + gap)
  }

  /// How well the shared clock is kept.
  package func report(at now: HostTime) -> Report {
    guard isSynced, !isKeeper else {
      return isKeeper ? Report(boundMilliseconds: 0, symmetricMilliseconds: 0) : Report()
    }
    return Report(
      boundMilliseconds: Float(errorBound(at: now) * 1e-6),
      symmetricMilliseconds: Float(bounds(at: now).likely * 1e-6),
      roundTripMilliseconds: Float(sync.roundTrip * 1e-6), loss: Float(sync.loss))
  }
}
