import MoCore

extension SessionCore {
  /// Tells the conductor how much this member moves, 0…1.
  ///
  /// It may be called at any rate: the mean since the last report goes out ten times a second at most.
  package mutating func setActivity(_ level: Float, now: HostTime) {
    activity.set(level.within(0...1), among: members.count, now: now)
    notify(.activity(me, level.within(0...1)), at: now)
    if state.conductor == me {
      waitForBar(at: now)
    } else {
      tellActivity(at: now)
    }
  }

  /// How much is played now: the level 1…5 and how much all move together; the same for all in each bar.
  package func pattern(at now: HostTime) -> PatternPlan.Entry {
    guard let bar = beatClock.position(at: now)?.bar else { return PatternPlan().last }
    return state.pattern.entry(inBar: bar)
  }

  // MARK: reports to the conductor

  mutating func tellActivity(at now: HostTime) {
    guard now >= activity.next else { return }
    guard let conductor = state.conductor, conductor != me, let endpoint = members[conductor]?.endpoint else {
      return activity.end()
    }
    guard let level = activity.takeDue(at: now) else { return }
    send(
      .activity(SessionMessage.Activity(from: me, to: conductor, number: activity.number, level: level)),
      to: endpoint)
  }

  mutating func take(_ message: SessionMessage.Activity, now: HostTime) {
    var told = activity.others[message.from] ?? ActivityReports.Told(number: 0, level: 0)
    guard told.pace.allows(at: now, most: ActivityReports.fastest),
      PlayInbox.isAfter(message.number, told.number), members[message.from]?.isIgnored == false
    else {
      counts.unwanted += 1
      activity.others[message.from] = told
      return
    }
    (told.number, told.level) = (message.number, message.level)
    activity.others[message.from] = told
    notify(.activity(message.from, message.level), at: now)
    if message.level > 0, let member = members[message.from] {
      watchOfSections.played(member.identity.installation, isLate: false, at: now)
    }
    waitForBar(at: now)
  }

  // MARK: conducting

  /// How much all move together: the mean of those who have reported, as the gates count it.
  func totalActivity(at now: HostTime) -> Float {
    var (sum, count) = (Float(0), Float(0))
    func add(_ level: Float, _ weight: Float) {
      // A member whose gate is closed does not count.
      guard weight > 0 else { return }
      (sum, count) = (sum + level * weight, count + 1)
    }
    if let mine = activity.mine { add(mine, ownWeight(.activity)) }
    for id in activity.others.keys.sorted() where isHere(id, at: now) {
      if let installation = members[id]?.identity.installation {
        add(activity.others[id]?.level ?? 0, weight(.activity, from: id, installation))
      }
    }
    return count > 0 ? sum / count : 0
  }

  mutating func waitForBar(at now: HostTime) {
    guard state.conductor == me, activity.nextBar == .distantFuture else { return }
    // A new conductor waits for everybody's report before it announces a pattern.
    activity.nextBar = beatClock.time(of: .bar, from: now.advanced(bySeconds: 0.6)) ?? .distantFuture
  }

  /// Announces at each bar line how much is played in a bar to come.
  mutating func announcePattern(at now: HostTime) {
    guard now >= activity.nextBar else { return }
    activity.nextBar = .distantFuture
    guard state.conductor == me, state.version >= written, isSynced, beatClock.isPlaying(at: now) else {
      return
    }
    // A moment on, so that the next bar line is not this one.
    activity.nextBar = beatClock.time(of: .bar, from: now.advanced(bySeconds: 0.01)) ?? .distantFuture
    let time = beatClock.sessionTime(at: now)
    guard let course = beatClock.course,
      let line = course.time(of: .bar, from: time.advanced(bySeconds: ActivityReports.lead))
    else { return }
    var plan = state.pattern
    plan.forget(before: course.position(at: time).bar)
    let last = plan.last
    let total = Float(ActivityReports.step(totalActivity(at: now))) / 127
    let level = PatternPlan.level(for: total, after: last.level)
    let bar = course.position(at: line.advanced(bySeconds: 0.001)).bar
    guard level != last.level || total != last.total,
      plan.add(PatternPlan.Entry(bar: Int32(clamping: bar), level: level, total: total))
    else { return }
    state.pattern = plan
    state.version = state.version.revised
    wrote(at: now)
  }
}
