import MoCore

/// The messages that are due: multicasts, unicasts, retransmissions, and messages that are given up.
extension SendWindow {
  /// The messages to send now, and the results of timeouts.
  package struct Due {
    package var messages: [MemberID: [PlayMessage]] = [:]
    var multicasts: [PlayMessage] = []
    /// The members whose timeouts have expired (`expired`), and the members that did not acknowledge a multicast in
    /// time (`withoutMulticast`).
    package var expired: Set<MemberID> = []
    var withoutMulticast: Set<MemberID> = []
    package var losses: [Loss] = []

    package init() {}
  }

  /// The largest number of unacknowledged messages to one member.
  ///
  /// At this number, further shared data waits (`sharedWindow`). Further messages of other kinds are sent once, but not
  /// yet retransmitted (`window`).
  static let sharedWindow = 4
  static let window = 16
  /// Seconds in which messages are gathered into one datagram.
  static let batchDelay = 0.001
  /// The seconds from the moment at which a message is queued until its second and until its third multicast.
  static let repeats = [0.04, 0.16]

  /// Adds the messages to send now, and the losses of messages that were given up, to `due`.
  ///
  /// - Parameters:
  ///   - milliseconds: the time of the shared clock; nil while the shared clock is not known.
  ///   - multicastTimeout: seconds after which members that have not acknowledged a multicast get it by unicast.
  package mutating func collect(
    at now: HostTime, milliseconds: Int64?, multicastTimeout: Double, _ trips: [MemberID: RoundTrip],
    into due: inout Due
  ) {
    giveUp(at: now, into: &due)
    guard let first = waiting.first?.message.number else { return }
    let window = queue.isShared ? Self.sharedWindow : Self.window
    var firsts: [MemberID: (number: Int32, count: Int)] = [:]
    let isMulticastDue = waiting.contains { $0.nextMulticast <= now }
    for place in waiting.indices {
      let number = waiting[place].message.number
      if isMulticastDue, shouldMulticast(waiting[place], at: now) {
        if waiting[place].multicastCount == 0, let milliseconds {
          multicastTimes.append((number, milliseconds))
          if multicastTimes.count > Self.most { multicastTimes.removeFirst() }
        }
        due.multicasts.append(multicast(place, first: first, at: now))
      }
      for index in waiting[place].missing.indices {
        let id = waiting[place].missing.keys[index]
        let ahead = firsts[id] ?? (number, 0)
        firsts[id] = (ahead.number, ahead.count + 1)
        let attempt = waiting[place].missing.values[index]
        guard Self.due(attempt, ahead.count, window, queue.isShared, multicastTimeout, trips[id]) <= now
        else {
          continue
        }
        if attempt.isMulticast, !attempt.isLost { due.withoutMulticast.insert(id) }
        if attempt.count > 0, !attempt.isLost { due.expired.insert(id) }
        waiting[place].missing.values[index] = Attempt(sent: now, count: attempt.count + 1)
        var message = waiting[place].message
        (message.to, message.first) = (id, ahead.number)
        due.messages[id, default: []].append(message)
      }
    }
  }

  /// Returns whether a message is multicast now.
  ///
  /// The message is multicast if its multicast is due. If the multicast is due within 40 ms, the message shares a
  /// datagram with the due messages, unless it was multicast in the last 20 ms.
  private func shouldMulticast(_ item: Waiting, at now: HostTime) -> Bool {
    item.nextMulticast <= now
      || item.nextMulticast <= now.advanced(bySeconds: Self.repeats[0])
        && now.seconds(since: item.lastMulticast) >= Self.leastSpacing
  }

  private mutating func multicast(_ place: Int, first: Int32, at now: HostTime) -> PlayMessage {
    let multicastCount = waiting[place].multicastCount
    // A message with a beat is over too soon for a third multicast.
    let mostRepeats = waiting[place].message.stamp == nil ? Self.repeats.count : 1
    waiting[place].nextMulticast =
      multicastCount < mostRepeats
      ? waiting[place].posted.advanced(bySeconds: Self.repeats[multicastCount]) : .distantFuture
    waiting[place].multicastCount += 1
    waiting[place].lastMulticast = now
    for index in waiting[place].missing.indices where waiting[place].missing.values[index].isMulticast {
      waiting[place].missing.values[index].sent = now
    }
    var message = waiting[place].message
    (message.to, message.first) = (.nobody, first)
    return message
  }

  /// Returns the time at which a message is sent to a receiver by unicast, the first time or again.
  private static func due(
    _ attempt: Attempt, _ ahead: Int, _ window: Int, _ isShared: Bool, _ multicastTimeout: Double,
    _ trip: RoundTrip?
  ) -> HostTime {
    if attempt.isMulticast, !attempt.isLost {
      return attempt.sent == .distantPast
        ? .distantFuture : attempt.sent.advanced(bySeconds: multicastTimeout)
    }
    // Shared data may be long: the rest waits until this part is acknowledged.
    guard ahead < window || attempt.count == 0 && !isShared else { return .distantFuture }
    if attempt.isLost || attempt.count == 0 { return .distantPast }
    return attempt.sent.advanced(bySeconds: (trip ?? RoundTrip()).timeout)
  }

  private mutating func giveUp(at now: HostTime, into due: inout Due) {
    while let place = unresolved.firstIndex(where: { $0.until <= now }) {
      let entry = unresolved.remove(at: place)
      for id in entry.missing.sorted() { due.losses.append((entry.address, id)) }
    }
    guard waiting.contains(where: { $0.end <= now }) else { return }
    for item in waiting where item.end <= now {
      let until = item.posted.advanced(bySeconds: Self.timeout)
      let entry = Unresolved(
        number: item.message.number, address: item.message.play.address, missing: Set(item.missing.keys),
        lossFrom: now.advanced(bySeconds: Self.longestDelay), until: until)
      if until <= now || unresolved.count >= 4 * Self.most {
        for id in entry.missing.sorted() { due.losses.append((entry.address, id)) }
      } else {
        unresolved.append(entry)
      }
    }
    waiting.removeAll { $0.end <= now }
  }

  /// Gives up the messages that were queued before a time.
  mutating func giveUp(before moment: HostTime) {
    for place in waiting.indices where waiting[place].posted < moment { waiting[place].end = .distantPast }
  }

  /// Recomputes the ends of messages that would be given up now, since a change of tempo may have moved their beats.
  mutating func setEnds(at now: HostTime, _ end: (Waiting) -> HostTime) {
    for place in waiting.indices where waiting[place].end <= now && waiting[place].end != .distantPast {
      waiting[place].end = end(waiting[place])
    }
  }

  /// Returns the earliest time at which a message must be sent, must be given up, or counts as lost.
  package func next(multicastTimeout: Double, _ trips: [MemberID: RoundTrip]) -> HostTime {
    var next = unresolved.reduce(HostTime.distantFuture) { min($0, $1.until) }
    let window = queue.isShared ? Self.sharedWindow : Self.window
    var counts: [MemberID: Int] = [:]
    for item in waiting {
      next = min(next, min(item.end, item.nextMulticast))
      for (id, attempt) in item.missing {
        let ahead = counts[id, default: 0]
        counts[id] = ahead + 1
        next = min(next, Self.due(attempt, ahead, window, queue.isShared, multicastTimeout, trips[id]))
      }
    }
    return next
  }
}
