import MoCore

/// The timeline that this member shows and plays, and the change to the clock of another part of the room.
extension ClockSync {
  /// The largest difference, in beats, between the audible timeline and a new timeline that continues it.
  package static let continuous = 0.05

  // MARK: joining a part

  /// Starts to measure the clock of a part to join.
  mutating func prepareMerge(
    with theirs: TimeBase, _ version: StateVersion, at now: HostTime, _ out: inout Effects
  ) {
    if let merge, merge.base != theirs, !isBetter(theirs, than: merge.base) { return }
    if merge?.base != theirs { merge = Merge(base: theirs, version: version, started: now) }
    out.add(.sweep(by: now))
  }

  /// Returns whether the part `one` is a better part to join than the part `other`.
  private func isBetter(_ one: TimeBase, than other: TimeBase) -> Bool {
    guard let left = pulses.standing(of: one), let right = pulses.standing(of: other) else { return false }
    if left.isPlaying != right.isPlaying { return left.isPlaying }
    return right.yields(to: left, isOlder: one.isOlder(than: other))
  }

  /// Returns whether this member has measured the clock of the part to join, with at least 8 exchanges.
  func isMeasured(_ merge: Merge, _ roster: Roster) -> Bool {
    guard let id = merge.source, roster.members[id] != nil, maps[id] != nil, let measurement = measured[id]
    else { return false }
    return measurement.exchanges >= 8
  }

  mutating func dropMerge() { merge = nil }

  /// Ignores a part for `Merge.pause` seconds, if it was not ready to be joined within `Merge.timeout` seconds.
  ///
  /// The part may be fake, and must not keep us from a true part.
  mutating func skipPartIfLate(at now: HostTime) {
    guard let merge, now.seconds(since: merge.started) > Merge.timeout else { return }
    skipPart(merge.base.lineage, at: now)
    self.merge = nil
  }

  /// Ignores a part of the room for `Merge.pause` seconds.
  mutating func skipPart(_ lineage: MemberID, at now: HostTime) {
    skippedParts[lineage] = now.advanced(bySeconds: Merge.pause)
  }

  mutating func forgetSkippedParts(at now: HostTime) { skippedParts = skippedParts.filter { now < $0.value } }

  /// Schedules the merge: at the next bar line, or immediately while nothing plays.
  mutating func planMerge(at now: HostTime, _ out: inout Effects) {
    let at = beatClock.isPlaying(at: now) ? barLine(after: now) : now
    merge?.at = at
    out.event(.merging(at: at))
  }

  /// Makes this member follow the clock of another part; returns false if that clock cannot be read any more.
  mutating func finish(_ merge: Merge, at now: HostTime, _ out: inout Effects) -> Bool {
    guard let source = merge.source, let map = maps[source], let measurement = measured[source],
      let estimate = measurement.comparison.estimate(at: now)
    else { return false }
    base = merge.base
    keeperLostAt = nil
    (upcoming, beatClock.timeline, beatClock.floor) = (nil, nil, -.greatestFiniteMagnitude)
    let combined = map.combined(with: estimate)
    sync = SyncProgress()
    sync.source = source
    sync.update(estimate, combined, growth: growth(of: estimate, measurement), at: now)
    beatClock.clock.settle(on: combined, at: now)
    out.event(.merged)
    return true
  }

  // MARK: showing

  /// Holds the shown beat after a correction that would move it back by less than `continuous` beats.
  ///
  /// - Parameter before: the beat that was shown before the correction.
  mutating func keepFloor(_ before: Double?, at now: HostTime) {
    let time = beatClock.sessionTime(at: now)
    guard let before, let timeline = beatClock.timeline else { return }
    let lead = before - timeline.beat(at: time)
    beatClock.floor = lead > 0 && lead < Self.continuous ? before : -.greatestFiniteMagnitude
    beatClock.floorEnd = timeline.end(ofFloor: before, from: time)
  }

  /// Returns the time of the first bar line at least 50 ms ahead; while nothing plays, the time 50 ms ahead.
  func barLine(after now: HostTime) -> HostTime {
    let soon = now.advanced(bySeconds: 0.05)
    guard beatClock.isPlaying(at: now), let line = beatClock.time(of: .bar, from: soon) else { return soon }
    return line
  }

  /// Applies the planned change of the timeline and the planned jump of the clock, if their bar line has come.
  mutating func applyPendingChanges(at now: HostTime, _ out: inout Effects) {
    if let upcoming, now >= upcoming.at {
      self.upcoming = nil
      (beatClock.timeline, beatClock.floor) = (upcoming.timeline, -.greatestFiniteMagnitude)
      out.event(.timeline)
    }
    if let at = sync.correctAt, now >= at {
      sync.correctAt = nil
      if let estimate = estimate(at: now) { settle(on: estimate, at: now) }
    }
  }

  /// Shows a timeline: from the next bar line on if the audible beat would jump, else immediately.
  ///
  /// While the shared clock is not known, no timeline is shown.
  mutating func show(_ new: Timeline?, at now: HostTime, _ out: inout Effects) {
    upcoming = nil
    guard isSynced else {
      (beatClock.timeline, beatClock.floor) = (nil, -.greatestFiniteMagnitude)
      return
    }
    let before = beatClock.beat(at: now)
    let wasAudible = beatClock.isPlaying(at: now)
    let time = beatClock.sessionTime(at: now)
    if wasAudible, let before, let new, new.isPlaying(at: time),
      abs(new.beat(at: time) - before) > Self.continuous
    {
      let at = barLine(after: now)
      upcoming = (new, at)
      out.event(.merging(at: at))
      return
    }
    beatClock.timeline = new
    if wasAudible, new?.isPlaying(at: time) == true {
      keepFloor(before, at: now)
    } else {
      beatClock.floor = -.greatestFiniteMagnitude
    }
    out.event(.timeline)
  }
}
