import MoCore

/// The reports of activity that this member sends to the conductor, and those that it receives while it conducts.
package struct ActivityReports: Sendable {
  /// The last received report of another member.
  package struct ReceivedReport: Sendable {
    package var number: Int32
    package var level: Float
    var pace = RateLimit()
  }

  package var others: [MemberID: ReceivedReport] = [:]
  /// This member's activity, 0…1; nil until the program sets it.
  private(set) var mine: Float?
  /// The sum of this member's activity values since its last report; the next report sends their mean.
  private var sum: Float = 0
  /// The number of this member's activity values since its last report.
  private var count: Float = 0
  private var lastReported: Float?
  private var repeats = 0
  private var interval = 0.1
  var number: Int32 = 0
  /// The time at which this member next reports its activity; `.distantFuture` while no report is planned.
  private(set) var next = HostTime.distantFuture
  private var sent = HostTime.distantPast
  /// The time of the bar line at which this member, as conductor, next chooses the pattern's level for a later bar.
  ///
  /// The time is `.distantFuture` while no choice is planned.
  var nextBar = HostTime.distantFuture

  /// Returns the least time between two reports of a member, in seconds.
  ///
  /// Each member sends at most ten reports a second, and all members together send at most a hundred.
  static func interval(among members: Int) -> Double { max(0.1, 0.01 * Double(members)) }
  /// The shortest pauses in seconds before the first and the second repetition of an unchanged activity.
  ///
  /// A report is repeated, since reports are not acknowledged.
  private static let pauses = [0.3, 1.0]
  private static let pulse = 2.0
  /// The largest number of reports that are accepted from a sender in a second.
  static let fastest = 15
  /// The least time in seconds from the announcement of a pattern's level until the bar in which the level applies.
  ///
  /// If the conductor is lost, the other members have time to relay the announcement.
  static let lead = 3.0

  /// Adds a value of this member's activity, 0…1, to the mean that the next report sends.
  private mutating func set(_ level: Float, among members: Int, now: HostTime) {
    mine = level
    // The mean starts anew if the last report is long ago.
    interval = Self.interval(among: members)
    if now.seconds(since: sent) > interval { (sum, count) = (0, 0) }
    sum += level
    count += 1
    guard Self.step(level) != lastReported.map(Self.step) || repeats == 0 && next == .distantFuture else {
      return
    }
    next = min(next, max(now, sent.advanced(bySeconds: interval)))
  }

  /// Starts to report to a new conductor.
  mutating func begin(at now: HostTime) {
    (lastReported, repeats) = (nil, 0)
    next = mine == nil ? .distantFuture : now
  }

  /// Schedules a new conductor's first choice of the pattern's level.
  ///
  /// The choice follows at the first bar line at least 0.6 s from now, so that all members have reported by then.
  mutating func waitForBar(_ agreement: Agreement, _ room: RoomView) {
    guard agreement.state.conductor == room.me, nextBar == .distantFuture else { return }
    nextBar = room.clock.beatClock.time(of: .bar, from: room.now.advanced(bySeconds: 0.6)) ?? .distantFuture
  }

  /// Stores this member's activity, 0…1, and reports it to the conductor when a report is due.
  mutating func set(_ level: Float, _ agreement: Agreement, _ room: RoomView, _ out: inout Effects) {
    let level = level.within(0...1)
    set(level, among: room.members.count, now: room.now)
    out.add(.notice(.activity(room.me, level)))
    if agreement.state.conductor == room.me {
      waitForBar(agreement, room)
    } else {
      send(agreement, room, &out)
    }
  }

  /// Sends the conductor the report that is due.
  mutating func send(_ agreement: Agreement, _ room: RoomView, _ out: inout Effects) {
    guard room.now >= next else { return }
    guard let conductor = agreement.state.conductor, conductor != room.me,
      let endpoint = room.members[conductor]?.endpoint
    else {
      next = .distantFuture
      return
    }
    guard let level = popDue(at: room.now) else { return }
    out.send(
      .activity(SessionMessage.Activity(from: room.me, to: conductor, number: number, level: level)),
      to: endpoint)
  }

  /// Stores another member's report of its activity; returns false if the report does not count.
  ///
  /// A report does not count if it is older than the stored report, or if its sender is unknown or ignored. At most
  /// `fastest` reports of a sender count in a second.
  mutating func receive(
    _ message: SessionMessage.Activity, _ agreement: Agreement, _ room: RoomView, _ out: inout Effects
  ) -> Bool {
    var report = others[message.from] ?? ReceivedReport(number: 0, level: 0)
    defer { others[message.from] = report }
    guard report.pace.allows(at: room.now, most: Self.fastest),
      ReceiveWindow.isAfter(message.number, report.number), room.members[message.from]?.isIgnored == false
    else {
      out.counts.unwanted += 1
      return false
    }
    (report.number, report.level) = (message.number, message.level)
    out.add(.notice(.activity(message.from, message.level)))
    waitForBar(agreement, room)
    return true
  }

  mutating func forget(_ id: MemberID) { others[id] = nil }

  /// Returns the activity of all members together, 0…1: the mean of the reported values, each multiplied by a weight.
  ///
  /// The weight is that of the sender's `activity` gate. A member whose gate is closed does not count.
  package func total(_ agreement: Agreement, _ room: RoomView) -> Float {
    var (sum, count) = (Float(0), Float(0))
    func add(_ level: Float, _ weight: Float) {
      // A member with a closed gate does not count.
      guard weight > 0 else { return }
      (sum, count) = (sum + level * weight, count + 1)
    }
    if let mine { add(mine, agreement.ownWeight(.activity, room)) }
    for id in others.keys.sorted() where room.isHere(id) {
      if let installation = room.members[id]?.identity.installation {
        add(others[id]?.level ?? 0, agreement.weight(.activity, from: id, installation, room))
      }
    }
    return count > 0 ? sum / count : 0
  }

  /// Returns a plan with a new level of the pattern for a later bar; nil if the plan does not change.
  ///
  /// The conductor chooses the level once per bar. The result is also nil if this member does not conduct, or if no bar
  /// line is due.
  mutating func planBar(_ agreement: Agreement, _ room: RoomView) -> PatternPlan? {
    let (clock, now) = (room.clock.beatClock, room.now)
    guard now >= nextBar else { return nil }
    nextBar = .distantFuture
    guard agreement.state.conductor == room.me, agreement.state.version >= agreement.written,
      room.clock.isSynced, clock.isPlaying(at: now)
    else { return nil }
    // Slightly later, so that the next bar line is not this one.
    nextBar = clock.time(of: .bar, from: now.advanced(bySeconds: 0.01)) ?? .distantFuture
    let time = clock.sessionTime(at: now)
    guard let timeline = clock.course,
      let line = timeline.time(of: .bar, from: time.advanced(bySeconds: Self.lead))
    else { return nil }
    var plan = agreement.state.pattern
    plan.forget(before: timeline.position(at: time).bar)
    let last = plan.last
    let total = Float(Self.step(total(agreement, room))) / 127
    let level = PatternPlan.level(for: total, after: last.level)
    let bar = timeline.position(at: line.advanced(bySeconds: 0.001)).bar
    guard level != last.level || total != last.total,
      plan.add(PatternPlan.Entry(bar: Int32(clamping: bar), level: level, total: total))
    else { return nil }
    return plan
  }

  /// Returns the activity to report now, 0…1 in steps of 1/127; nil if no report is due.
  mutating func popDue(at now: HostTime) -> Float? {
    guard now >= next, let mine else { return nil }
    let level = Float(Self.step(count > 0 ? sum / count : mine)) / 127
    (sum, count, sent) = (0, 0, now)
    repeats = level == lastReported ? repeats + 1 : 0
    lastReported = level
    // The mean lags behind the present level: another report follows.
    if Self.step(mine) != Self.step(level) {
      next = now.advanced(bySeconds: max(interval, Self.pauses[0]))
    } else if repeats < Self.pauses.count {
      next = now.advanced(bySeconds: max(interval, Self.pauses[repeats]))
    } else {
      next = level > 0 ? now.advanced(bySeconds: Self.pulse) : .distantFuture
    }
    number &+= 1
    return level
  }

  /// Returns an activity of 0…1 as a multiple of 1/127, 0…127: reports send the activity with this precision.
  package static func step(_ level: Float) -> Int { Int((level * 127).rounded()) }

  mutating func shift(by nanoseconds: Int64) {
    next.shift(by: nanoseconds)
    nextBar.shift(by: nanoseconds)
    sent = .distantPast
  }
}
