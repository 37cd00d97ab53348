import MoTime

/// A part of the room with another clock, about to become one with ours.
struct Merge: Hashable, Sendable {
  var base: TimeBase
  /// The music it is said to have.
  var version: StateVersion
  /// When it is done; nil while the other clock is still being measured.
  var at: HostTime?
}

extension SessionCore {
  /// Seconds of silence after which the conductor or the keeper is held to be gone.
  static let absence = 1.8
  /// Seconds of silence after which they are asked whether they are there.
  static let doubt = 1.1
  /// Seconds by which those who could keep the clock let each other go first.
  static let stagger = 0.75
  /// Seconds for which those who do not know the shared clock wait for one who does.
  static let ignorance = 3.0

  /// Whether a member has been heard lately; always true of oneself.
  func isHere(_ id: MemberID, at now: HostTime) -> Bool {
    if id == me { return true }
    return members[id].map { isHere($0, at: now) } ?? false
  }

  private func isHere(_ member: Member, at now: HostTime) -> Bool {
    now.seconds(since: member.lastHeard) < Self.absence
  }

  /// Whether this member's clock is the room's.
  var isKeeper: Bool { base?.keeper == me }

  /// Whether there is a clock to go by.
  var isSynced: Bool { base != nil && sync.isKnown }

  // MARK: whose clock

  /// Founds a room, if there is none and one comes before all others who are looking for one, too.
  mutating func foundIfFirst(at now: HostTime) {
    guard base == nil, !settings.isHidden || members.isEmpty else { return }
    guard members.allSatisfy({ $0.key > me || $0.value.isHidden || !isHere($0.key, at: now) }) else { return }
    found(at: now)
  }

  mutating func found(at now: HostTime) {
    keep(TimeBase(lineage: me, founded: settings.calendar, term: 0, keeper: me), at: now)
  }

  /// Weighs the clock that a member goes by against the own one.
  mutating func weigh(_ theirs: TimeBase, _ version: StateVersion, of id: MemberID, now: HostTime) {
    guard let mine = base else { return adopt(theirs, at: now) }
    guard theirs != mine, isKept(theirs, at: now) else { return }
    if theirs.lineage == mine.lineage {
      if !isKept(mine, at: now) || theirs.precedes(mine) { adopt(theirs, at: now) }
    } else if TimeBase.prefers(theirs, version, to: mine, state.version) {
      if let merge {
        guard merge.base != theirs, TimeBase.prefers(theirs, version, to: merge.base, merge.version) else {
          return
        }
      }
      merge = Merge(base: theirs, version: version)
      nextSweep = min(nextSweep, now)
    }
  }

  /// Whether a clock's keeper is here and says it is.
  private func isKept(_ base: TimeBase, at now: HostTime) -> Bool {
    if base.keeper == me { return self.base == base }
    return isHere(base.keeper, at: now) && members[base.keeper]?.brief.base == base
  }

  private mutating func adopt(_ new: TimeBase, at now: HostTime) {
    let isOther = base?.keeper != new.keeper
    base = new
    keeperLostAt = nil
    if merge?.base.lineage == new.lineage { merge = nil }
    nextSweep = now
    if isOther { events.append(.keeper(new.keeper)) }
    if let foreign, foreign.lineage == new.lineage {
      self.foreign = nil
      take(foreign, now: now)
    }
  }

  /// Becomes the keeper: the shared clock goes on from what is shown here, at the rate it has here.
  private mutating func keep(_ new: TimeBase, at now: HostTime) {
    anchor(beatClock.clock.other(at: now), at: now)
    let wasSynced = isSynced
    sync.keep()
    adopt(new, at: now)
    if !wasSynced { show(state.timeline, at: now) }
    discovery.nextHello = now
  }

  /// Lets the shared clock show a time now, and go on from there at the rate it has here.
  mutating func anchor(_ shown: HostTime, at now: HostTime) {
    beatClock.clock.settle(
      on: ClockEstimate(
        at: now, offset: shown.nanoseconds &- now.nanoseconds, rate: beatClock.clock.rate, errorBound: 0,
        symmetricBound: 0, roundTrip: 0, leastRoundTrip: 0, loss: 0), at: now)
  }

  /// Takes the keeper's place if it is gone and one is next in line: who is shown before who is not.
  ///
  /// Who is alone just goes on: there is nobody to agree with, and the rate is known.
  private mutating func succeed(at now: HostTime) {
    guard let base, !isKept(base, at: now) else {
      keeperLostAt = nil
      return
    }
    let lost = keeperLostAt ?? now
    keeperLostAt = lost
    let others = members.filter { isHere($0.key, at: now) }
    guard !others.isEmpty || !isSynced else { return }
    let before = others.count { id, member in
      let isBefore = member.isHidden == settings.isHidden ? id < me : settings.isHidden
      return isBefore && member.brief.base?.lineage == base.lineage
    }
    let patience = Double(before) * Self.stagger + (isSynced ? 0 : Self.ignorance)
    guard now.seconds(since: lost) >= patience else { return }
    keep(
      TimeBase(lineage: base.lineage, founded: base.founded, term: base.term &+ 1, keeper: me), at: now)
  }

  // MARK: now and then

  /// What is looked after four times a second.
  mutating func sweep(at now: HostTime) {
    nextSweep = now.advanced(bySeconds: 0.25)
    rooms.forget(at: now)
    var gone: [MemberID] = []
    for (id, member) in members {
      if now.seconds(since: member.lastHeard) > 4 * roomInterval { gone.append(id) }
      if member.brief.version < state.version, member.push.since == nil { noteLag(of: id, now: now) }
    }
    for id in gone.sorted() { remove(id, said: false, now: now) }
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

  // MARK: measuring

  /// Sends the pings that are due.
  mutating func measure(at now: HostTime) {
    for id in measured.keys.sorted() {
      guard var measurement = measured[id], now >= measurement.nextPing, let member = members[id] else {
        continue
      }
      measurement.expire(at: now)
      let number = measurement.ping(at: now)
      measurement.nextPing = now.advanced(bySeconds: pingInterval(of: id, measurement, at: now))
      measured[id] = measurement
      send(
        .ping(SessionMessage.Ping(from: me, to: id, number: number, sent: now, brief: brief)),
        to: member.endpoint)
    }
  }

  /// Seconds to the next ping of a member.
  ///
  /// A keeper answers some twenty a second in all, and those next in line fewer; so that nobody who merely keeps time
  /// sends more than 25 packets a second. A conductor may send more, but no more than 80 kB in all.
  private func pingInterval(of id: MemberID, _ measurement: Measurement, at now: HostTime) -> Double {
    let others = Double(max(1, members.count))
    let isImportant = id == base?.keeper || id == state.conductor
    let silent = members[id].map { now.seconds(since: $0.lastHeard) } ?? 0
    if isImportant, silent > Self.doubt, silent < 2 * Self.absence { return 0.15 }
    if id == merge?.base.keeper || id == base?.keeper, measurement.comparison.interval < 0.1 {
      return max(0.05, others / 800)
    }
    if id == merge?.base.keeper { return max(0.25, others / 20) }
    if id == base?.keeper { return max(0.25, others / (id == state.conductor ? 150 : 20)) }
    return id == state.conductor ? max(0.5, others / 80) : max(1, others / 4)
  }

  // MARK: being in time

  /// Moves the shared clock towards what an exchange with the keeper has shown.
  mutating func synchronise(with id: MemberID, now: HostTime) {
    guard id == base?.keeper, let map = members[id]?.map, let measurement = measured[id],
      let estimate = measurement.comparison.estimate(at: now)
    else { return }
    let wasSynced = isSynced
    let seen = map.seen(through: estimate)
    sync.take(estimate, seen, growth: growth(of: estimate, measurement), at: now)
    defer { if !wasSynced { show(state.timeline, at: now) } }
    let isSilent = !beatClock.isPlaying(at: now)
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

  /// By how much an estimate's bound grows where no packet tells more, relative.
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

  /// Lets beats wait rather than go back, where they would go back a little.
  mutating func keepFloor(_ before: Double?, at now: HostTime) {
    guard let before, let beat = beatClock.timeline?.beat(at: beatClock.sessionTime(at: now)) else { return }
    beatClock.floor = before - beat < Self.continuous ? before : -.greatestFiniteMagnitude
  }

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
  public func errorBound(at now: HostTime) -> Double {
    guard isSynced else { return .infinity }
    return isKeeper ? 0 : bounds(at: now).surely + abs(beatClock.clock.gap(at: now))
  }

  /// How far the shared clock may be off, in nanoseconds: whatever the network does, and if it is alike both ways.
  private func bounds(at now: HostTime) -> (surely: Double, likely: Double) {
    guard let keeper = base?.keeper, let map = members[keeper]?.map,
      let estimate = measured[keeper]?.comparison.estimate(at: now)
    else { return sync.bounds(at: now) }
    return (estimate.errorBound + map.bound, estimate.symmetricBound + map.bound)
  }

  /// How well the shared clock is kept.
  public func report(at now: HostTime) -> Report {
    guard isSynced, !isKeeper else {
      return isKeeper ? Report(boundMilliseconds: 0, symmetricMilliseconds: 0) : Report()
    }
    return Report(
      boundMilliseconds: Float(errorBound(at: now) * 1e-6),
      symmetricMilliseconds: Float((bounds(at: now).likely + abs(beatClock.clock.gap(at: now))) * 1e-6),
      roundTripMilliseconds: Float(sync.roundTrip * 1e-6), loss: Float(sync.loss))
  }

  // MARK: becoming one

  /// Measures the clock of the part we are to join, and sets a bar line for it.
  private mutating func advanceMerge(at now: HostTime) {
    guard var merge, merge.at == nil else { return }
    guard isWorthwhile(merge, at: now) else {
      self.merge = nil
      return
    }
    guard isReady(merge) else { return }
    let at = beatClock.isPlaying(at: now) ? barLine(after: now) : now
    merge.at = at
    self.merge = merge
    events.append(.merging(at: at))
  }

  /// Whether that part is still there, and still the one to join.
  private func isWorthwhile(_ merge: Merge, at now: HostTime) -> Bool {
    guard let base, isKept(merge.base, at: now) else { return false }
    return TimeBase.prefers(merge.base, merge.version, to: base, state.version)
  }

  /// Whether its clock and its music are known here.
  private func isReady(_ merge: Merge) -> Bool {
    let keeper = merge.base.keeper
    guard let measurement = measured[keeper], measurement.exchanges >= 8, members[keeper]?.map != nil else {
      return false
    }
    guard merge.version.counter > 0 else { return true }
    return foreign.map { $0.lineage == merge.base.lineage && $0.version >= merge.version } ?? false
  }

  private mutating func finishMerge(_ merge: Merge, at now: HostTime) {
    self.merge = nil
    let keeper = merge.base.keeper
    guard isWorthwhile(merge, at: now), isReady(merge), let map = members[keeper]?.map,
      let measurement = measured[keeper], let estimate = measurement.comparison.estimate(at: now)
    else { return }
    let next = foreign
    foreign = nil
    base = merge.base
    keeperLostAt = nil
    state = .none
    (upcoming, beatClock.timeline, beatClock.floor) = (nil, nil, -.greatestFiniteMagnitude)
    let seen = map.seen(through: estimate)
    sync = SyncProgress()
    sync.take(estimate, seen, growth: growth(of: estimate, measurement), at: now)
    beatClock.clock.settle(on: seen, at: now)
    events.append(.keeper(keeper))
    events.append(.merged)
    if let next { take(next, now: now) }
    lookForConductor(at: now)
  }

  // MARK: bar lines

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
      if let keeper = base?.keeper, let map = members[keeper]?.map,
        let estimate = measured[keeper]?.comparison.estimate(at: now)
      {
        settle(on: map.seen(through: estimate), at: now)
      }
    }
  }
}
