import MoCore

/// What one member, or all, are to have in order, and have not yet acknowledged.
struct SendWindow: Sendable {
  /// How one receiver is told of one message.
  struct Attempt: Sendable {
    /// When it was sent last; in the distant past before.
    var sent = HostTime.distantPast
    /// How often it was sent to this receiver alone.
    var count = 0
    /// Whether it goes by a call to all.
    var isCalled = false
    /// Whether it is known to be lost, so that no timeout is waited for.
    var isLost = false
  }

  /// A message on its way.
  struct Waiting: Sendable {
    var message: PlayMessage
    /// When it was put in line, and when it is given up.
    var posted: HostTime
    var end: HostTime
    /// Those who have not acknowledged it.
    var missing: [MemberID: Attempt]
    /// When it is called to all next.
    var nextCall = HostTime.distantFuture
    var lastCall = HostTime.distantPast
    var calls = 0
    /// How many receivers have asked for it.
    var repairs = 0
  }

  /// A message that was given up, while it is not known who has it all the same.
  private struct Unsettled: Sendable {
    var number: Int32
    var address: SessionAddress
    var missing: Set<MemberID>
    /// From when a ack without it says that it is lost, and when it counts as lost without one.
    var settles: HostTime
    var until: HostTime
  }

  /// What is not to be had any more.
  typealias Loss = (address: SessionAddress, member: MemberID)

  /// What is to be sent.
  struct Due {
    var messages: [MemberID: [PlayMessage]] = [:]
    var calls: [PlayMessage] = []
    /// Members whose timeouts have run out, and members that have acknowledged no call.
    var expired: Set<MemberID> = []
    var deaf: Set<MemberID> = []
    var losses: [Loss] = []
  }

  let line: PlayLine
  let stream: Int32
  private(set) var waiting: [Waiting] = []
  private var unsettled: [Unsettled] = []
  private var number: Int32 = 0
  /// The last that was put in line.
  private var last: PlayMessage?
  /// When the newest were called for the first time, in milliseconds of the shared clock.
  private var calledAt: [(number: Int32, milliseconds: Int64)] = []

  /// Most that wait for one member; more are not taken.
  static let most = 64
  /// Most that are sent to one member at once, of what is shared and of all else that is sent again.
  static let sharedWindow = 4
  static let window = 16
  /// Seconds after which something is given up: who has not answered by then is as good as gone.
  static let timeout = 5.0
  /// Seconds in which messages are gathered into one datagram.
  static let gathering = 0.001
  /// Seconds from a call to the next of the same message.
  static let repeats = [0.04, 0.16]
  /// Seconds from one call to the next at least, so that one burst of losses does not take both.
  static let apart = 0.02
  /// Seconds that a message may be on its way.
  static let flight = 0.5
  /// So many who ask for one message get it by another call.
  static let manyRepairs = 3
  private static let mostCalls = 5

  init(_ line: PlayLine, count: Int32) {
    self.line = line
    stream = count << 2 | line.bits
  }

  /// Puts something in line; returns the members that do not get it, since too much is on its way to them.
  mutating func add(
    _ message: PlayMessage, to receivers: [MemberID], called: Set<MemberID> = [], until end: HostTime,
    at now: HostTime
  ) -> [MemberID] {
    var (missing, refused): ([MemberID: Attempt], [MemberID]) = ([:], [])
    for id in receivers {
      let first = waiting.first { $0.missing[id] != nil }?.message.number ?? number &+ 1
      if number &+ 1 - first >= Int32(Self.most) {
        refused.append(id)
      } else {
        missing[id] = Attempt(isCalled: called.contains(id))
      }
    }
    guard !missing.isEmpty else { return refused }
    number &+= 1
    var message = message
    (message.stream, message.number, message.first) = (stream, number, number)
    last = message
    var item = Waiting(message: message, posted: now, end: end, missing: missing)
    if missing.values.contains(where: \.isCalled) { item.nextCall = now }
    waiting.append(item)
    return refused
  }

  // MARK: out

  /// What is to be sent at a moment, and what is given up.
  ///
  /// - Parameters:
  ///   - milliseconds: the shared clock; nil while it is not known.
  ///   - callTimeout: seconds after which members that have not acknowledged a call get it alone.
  mutating func collect(
    at now: HostTime, milliseconds: Int64?, callTimeout: Double, _ trips: [MemberID: RoundTrip],
    into due: inout Due
  ) {
    giveUp(at: now, into: &due)
    guard let first = waiting.first?.message.number else { return }
    let window = line.isShared ? Self.sharedWindow : Self.window
    var firsts: [MemberID: (number: Int32, count: Int)] = [:]
    let isCallDue = waiting.contains { $0.nextCall <= now }
    for place in waiting.indices {
      let number = waiting[place].message.number
      if isCallDue, isWorthCalling(waiting[place], at: now) {
        if waiting[place].calls == 0, let milliseconds {
          calledAt.append((number, milliseconds))
          if calledAt.count > Self.most { calledAt.removeFirst() }
        }
        due.calls.append(call(place, first: first, at: now))
      }
      for index in waiting[place].missing.indices {
        let id = waiting[place].missing.keys[index]
        let ahead = firsts[id] ?? (number, 0)
        firsts[id] = (ahead.number, ahead.count + 1)
        let attempt = waiting[place].missing.values[index]
        guard Self.due(attempt, ahead.count, window, line.isShared, callTimeout, trips[id]) <= now else {
          continue
        }
        if attempt.isCalled, !attempt.isLost { due.deaf.insert(id) }
        if attempt.count > 0, !attempt.isLost { due.expired.insert(id) }
        waiting[place].missing.values[index] = Attempt(sent: now, count: attempt.count + 1)
        var message = waiting[place].message
        (message.to, message.first) = (id, ahead.number)
        due.messages[id, default: []].append(message)
      }
    }
  }

  /// Whether a message goes with a call that is made now: it is due, or soon due and not called just before.
  private func isWorthCalling(_ item: Waiting, at now: HostTime) -> Bool {
    item.nextCall <= now
      || item.nextCall <= now.advanced(bySeconds: Self.repeats[0])
        && now.seconds(since: item.lastCall) >= Self.apart
  }

  private mutating func call(_ place: Int, first: Int32, at now: HostTime) -> PlayMessage {
    let calls = waiting[place].calls
    // What has a beat is over too soon for a third.
    let mostRepeats = waiting[place].message.stamp == nil ? Self.repeats.count : 1
    waiting[place].nextCall =
      calls < mostRepeats
      ? waiting[place].posted.advanced(bySeconds: Self.repeats[calls]) : .distantFuture
    waiting[place].calls += 1
    waiting[place].lastCall = now
    for index in waiting[place].missing.indices where waiting[place].missing.values[index].isCalled {
      waiting[place].missing.values[index].sent = now
    }
    var message = waiting[place].message
    (message.to, message.first) = (.nobody, first)
    return message
  }

  /// When an attempt is to be followed by another.
  private static func due(
    _ attempt: Attempt, _ ahead: Int, _ window: Int, _ isShared: Bool, _ callTimeout: Double,
    _ trip: RoundTrip?
  ) -> HostTime {
    if attempt.isCalled, !attempt.isLost {
      return attempt.sent == .distantPast
        ? .distantFuture : attempt.sent.advanced(bySeconds: callTimeout)
    }
    // Of what is shared there may be much: the rest waits until this much has come.
    guard ahead < window || attempt.count == 0 && !isShared else { return .distantFuture }
    if attempt.isLost || attempt.count == 0 { return .distantPast }
    return attempt.sent.advanced(bySeconds: (trip ?? RoundTrip()).timeout)
  }

  private mutating func giveUp(at now: HostTime, into due: inout Due) {
    while let place = unsettled.firstIndex(where: { $0.until <= now }) {
      let entry = unsettled.remove(at: place)
      for id in entry.missing.sorted() { due.losses.append((entry.address, id)) }
    }
    guard waiting.contains(where: { $0.end <= now }) else { return }
    for item in waiting where item.end <= now {
      let until = item.posted.advanced(bySeconds: Self.timeout)
      let entry = Unsettled(
        number: item.message.number, address: item.message.play.address, missing: Set(item.missing.keys),
        settles: now.advanced(bySeconds: Self.flight), until: until)
      if until <= now || unsettled.count >= 4 * Self.most {
        for id in entry.missing.sorted() { due.losses.append((entry.address, id)) }
      } else {
        unsettled.append(entry)
      }
    }
    waiting.removeAll { $0.end <= now }
  }

  /// When something is due next.
  func next(callTimeout: Double, _ trips: [MemberID: RoundTrip]) -> HostTime {
    var next = unsettled.reduce(HostTime.distantFuture) { min($0, $1.until) }
    let window = line.isShared ? Self.sharedWindow : Self.window
    var counts: [MemberID: Int] = [:]
    for item in waiting {
      next = min(next, min(item.end, item.nextCall))
      for (id, attempt) in item.missing {
        let ahead = counts[id, default: 0]
        counts[id] = ahead + 1
        next = min(next, Self.due(attempt, ahead, window, line.isShared, callTimeout, trips[id]))
      }
    }
    return next
  }

  // MARK: what is acknowledged

  /// What a ack has shown.
  struct Answer {
    /// Whether anything was acknowledged that was not before.
    var isNew = false
    /// Seconds to the receiver and back, if that can be told.
    var roundTrip: Double?
    /// Seconds that a call took to the receiver, if that can be told.
    var callDelay: Double?
    /// Whether something is to be sent again at once.
    var isLost = false
    var losses: [Loss] = []
    /// Tells the receiver the next number, if it waits for something that is not for it.
    var correction: PlayMessage?
  }

  /// Takes in which messages have come to a member.
  ///
  /// - Parameter isCall: whether it was said to all, and so may have been long on its way.
  mutating func receive(
    _ ack: Ack, from id: MemberID, isCall: Bool, smoothed: Double?, at now: HostTime
  ) -> Answer {
    var answer = Answer()
    guard ack.stream == stream, ack.latest <= number else { return answer }
    if let arrived = ack.arrived, let sent = calledAt.first(where: { $0.number == ack.latest }) {
      let delay = Int16(truncatingIfNeeded: Int64(arrived) &- sent.milliseconds)
      if delay > -50, delay < 5000 { answer.callDelay = max(0, Double(delay) * 1e-3) }
    }
    for place in waiting.indices {
      guard let attempt = waiting[place].missing[id] else { continue }
      let number = waiting[place].message.number
      if ack.hasHeard(number) {
        waiting[place].missing[id] = nil
        answer.isNew = true
        if attempt.count == 1, waiting[place].calls == 0, !isCall {
          answer.roundTrip = now.seconds(since: attempt.sent)
        }
      } else if attempt.sent != .distantPast {
        checkForLoss(place, id, attempt, isPassed: number < ack.latest, isCall, smoothed, at: now, &answer)
      }
    }
    answer.correction = correction(ack, id)
    waiting.removeAll { $0.missing.isEmpty }
    settle(ack, from: id, at: now, &answer)
    return answer
  }

  /// Notes that a message which has not come is to be sent again, if it cannot be on its way any more.
  private mutating func checkForLoss(
    _ place: Int, _ id: MemberID, _ attempt: Attempt, isPassed: Bool, _ isCall: Bool, _ smoothed: Double?,
    at now: HostTime, _ answer: inout Answer
  ) {
    let age = now.seconds(since: attempt.sent)
    guard attempt.isCalled else {
      guard isPassed, age >= max(0.01, smoothed ?? RoundTrip.first) else { return }
      waiting[place].missing[id]?.isLost = true
      answer.isLost = true
      return
    }
    // Another call of it is on its way, or comes.
    guard waiting[place].nextCall == .distantFuture,
      isPassed ? age >= Self.apart : isCall && age >= Self.flight
    else { return }
    answer.isLost = true
    waiting[place].repairs += 1
    if waiting[place].repairs == Self.manyRepairs, waiting[place].calls < Self.mostCalls {
      waiting[place].nextCall = now
    } else {
      waiting[place].missing[id]?.isLost = true
    }
  }

  /// A receiver waits for what was given up, or was sent before it came: it is told the next number.
  private func correction(_ ack: Ack, _ id: MemberID) -> PlayMessage? {
    let first = waiting.first { $0.missing[id] != nil }?.message
    guard ack.waits, var message = first ?? last, first.map({ $0.number > ack.latest }) ?? true else {
      return nil
    }
    (message.to, message.first) = (id, message.number)
    return message
  }

  /// Notes which of the messages that were given up a member has all the same, and which not.
  private mutating func settle(
    _ ack: Ack, from id: MemberID, at now: HostTime, _ answer: inout Answer
  ) {
    for place in unsettled.indices where unsettled[place].missing.contains(id) {
      let number = unsettled[place].number
      if ack.hasHeard(number) {
        unsettled[place].missing.remove(id)
        answer.isNew = true
      } else if number < ack.latest, unsettled[place].settles <= now {
        unsettled[place].missing.remove(id)
        answer.losses.append((unsettled[place].address, id))
      }
    }
    unsettled.removeAll { $0.missing.isEmpty }
  }

  /// Forgets a member; returns what it has not received.
  mutating func forget(_ id: MemberID) -> [Loss] {
    var losses: [Loss] = []
    for place in unsettled.indices where unsettled[place].missing.remove(id) != nil {
      losses.append((unsettled[place].address, id))
    }
    for place in waiting.indices where waiting[place].missing.removeValue(forKey: id) != nil {
      losses.append((waiting[place].message.play.address, id))
    }
    unsettled.removeAll { $0.missing.isEmpty }
    waiting.removeAll { $0.missing.isEmpty }
    return losses
  }

  /// Gives up what was put in line before a moment.
  mutating func giveUp(before moment: HostTime) {
    for place in waiting.indices where waiting[place].posted < moment { waiting[place].end = .distantPast }
  }

  /// Sets anew when messages end, since a tempo may have moved their beats.
  mutating func setEnds(at now: HostTime, _ end: (Waiting) -> HostTime) {
    for place in waiting.indices where waiting[place].end <= now && waiting[place].end != .distantPast {
      waiting[place].end = end(waiting[place])
    }
  }

  mutating func shift(by nanoseconds: Int64) {
    for place in waiting.indices {
      waiting[place].posted.shift(by: nanoseconds)
      waiting[place].end.shift(by: nanoseconds)
      waiting[place].nextCall.shift(by: nanoseconds)
      waiting[place].lastCall.shift(by: nanoseconds)
      for index in waiting[place].missing.indices {
        waiting[place].missing.values[index].sent.shift(by: nanoseconds)
      }
    }
    for place in unsettled.indices {
      unsettled[place].settles.shift(by: nanoseconds)
      unsettled[place].until.shift(by: nanoseconds)
    }
  }
}
