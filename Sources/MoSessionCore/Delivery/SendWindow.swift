import MoCore

/// The messages of one queue, in order, that are not yet acknowledged by all their receivers.
package struct SendWindow: Sendable {
  /// The state of sending one message to one receiver.
  struct Attempt: Sendable {
    /// The time of the last send to the receiver; `.distantPast` before the first send.
    var sent = HostTime.distantPast
    /// The number of unicasts to this receiver.
    var count = 0
    /// Whether this receiver gets the message by multicast; false once the message is sent to the receiver alone.
    var isMulticast = false
    /// Whether an acknowledgement has shown that the message was lost; it is then retransmitted without waiting for a
    /// timeout.
    var isLost = false
  }

  /// An unacknowledged message.
  package struct Waiting: Sendable {
    package var message: PlayMessage
    /// The time at which the message was queued (`posted`), and the time at which it is given up (`end`).
    var posted: HostTime
    var end: HostTime
    /// The receivers that have not acknowledged the message.
    var missing: [MemberID: Attempt]
    /// The time of the message's next multicast.
    var nextMulticast = HostTime.distantFuture
    var lastMulticast = HostTime.distantPast
    var multicastCount = 0
    /// The number of acknowledgements which show that a receiver lacks the message.
    var negativeAcks = 0
  }

  /// A message that is no longer sent, while it is not yet known which of its receivers have got it.
  struct Unresolved: Sendable {
    var number: Int32
    var address: SessionAddress
    var missing: Set<MemberID>
    /// The time from which an acknowledgement without the message proves its loss (`lossFrom`), and the time at which
    /// it counts as lost without proof (`until`).
    var lossFrom: HostTime
    var until: HostTime
  }

  /// A message that a member will not receive.
  package typealias Loss = (address: SessionAddress, member: MemberID)

  let queue: PlayQueue
  package let stream: Int32
  package internal(set) var waiting: [Waiting] = []
  var unresolved: [Unresolved] = []
  private var number: Int32 = 0
  /// The message queued last.
  private var last: PlayMessage?
  /// The times of the newest messages' first multicasts, in milliseconds of the shared clock.
  var multicastTimes: [(number: Int32, milliseconds: Int64)] = []

  /// The largest number of messages that wait for a member; further messages are refused.
  static let most = 64
  /// Seconds after which a message is given up: a member that has not answered by then has probably left.
  static let timeout = 5.0
  /// The least time between two multicasts of a message, in seconds, so that a single burst of losses does not hit
  /// both.
  static let leastSpacing = 0.02
  /// The longest time that a message may be under way, in seconds.
  static let longestDelay = 0.5
  /// The number of receivers that must request a message before the message is multicast again.
  static let manyNegativeAcks = 3
  private static let mostMulticasts = 5

  package init(_ queue: PlayQueue, count: Int32) {
    self.queue = queue
    stream = count << 2 | queue.bits
  }

  /// Queues a message; returns the members that do not get it because their queues are full.
  package mutating func add(
    _ message: PlayMessage, to receivers: [MemberID], byMulticast: Set<MemberID> = [], until end: HostTime,
    at now: HostTime
  ) -> [MemberID] {
    var (missing, refused): ([MemberID: Attempt], [MemberID]) = ([:], [])
    for id in receivers {
      let first = waiting.first { $0.missing[id] != nil }?.message.number ?? number &+ 1
      if number &+ 1 - first >= Int32(Self.most) {
        refused.append(id)
      } else {
        missing[id] = Attempt(isMulticast: byMulticast.contains(id))
      }
    }
    guard !missing.isEmpty else { return refused }
    number &+= 1
    var message = message
    (message.stream, message.number, message.first) = (stream, number, number)
    last = message
    var item = Waiting(message: message, posted: now, end: end, missing: missing)
    if missing.values.contains(where: \.isMulticast) { item.nextMulticast = now }
    waiting.append(item)
    return refused
  }

  // MARK: acknowledgements

  /// The results of an acknowledgement for the sender: round-trip time, losses, and whether to retransmit.
  package struct Answer {
    /// Whether the acknowledgement confirms a message that was not confirmed before.
    package var isNew = false
    /// The round-trip time in seconds, if it can be measured.
    package var roundTrip: Double?
    /// The delay of a multicast in seconds, if it can be measured.
    var multicastDelay: Double?
    /// Whether a message must be retransmitted immediately.
    package var isLost = false
    package var losses: [Loss] = []
    /// The message that tells the receiver to skip to the next number; nil if no skip is needed.
    ///
    /// A receiver must skip if it waits for a message that it will not get.
    package var correction: PlayMessage?
  }

  /// Processes an acknowledgement of a member.
  ///
  /// - Parameter isMulticast: whether the acknowledgement was multicast, and so may have been delayed.
  package mutating func receive(
    _ ack: Ack, from id: MemberID, isMulticast: Bool, smoothed: Double?, at now: HostTime
  ) -> Answer {
    var answer = Answer()
    guard ack.stream == stream, ack.latest <= number else { return answer }
    if let arrived = ack.arrived, let sent = multicastTimes.first(where: { $0.number == ack.latest }) {
      let delay = Int16(truncatingIfNeeded: Int64(arrived) &- sent.milliseconds)
      if delay > -50, delay < 5000 { answer.multicastDelay = max(0, Double(delay) * 1e-3) }
    }
    for place in waiting.indices {
      guard let attempt = waiting[place].missing[id] else { continue }
      let number = waiting[place].message.number
      if ack.hasReceived(number) {
        waiting[place].missing[id] = nil
        answer.isNew = true
        if attempt.count == 1, waiting[place].multicastCount == 0, !isMulticast {
          answer.roundTrip = now.seconds(since: attempt.sent)
        }
      } else if attempt.sent != .distantPast {
        checkForLoss(
          place, id, attempt, isPassed: number < ack.latest, isMulticast, smoothed, at: now, &answer)
      }
    }
    answer.correction = correction(ack, id)
    waiting.removeAll { $0.missing.isEmpty }
    resolve(ack, from: id, at: now, &answer)
    return answer
  }

  /// Schedules the retransmission of a message that an acknowledgement does not confirm, if the message cannot be under
  /// way any more.
  private mutating func checkForLoss(
    _ place: Int, _ id: MemberID, _ attempt: Attempt, isPassed: Bool, _ isMulticast: Bool,
    _ smoothed: Double?,
    at now: HostTime, _ answer: inout Answer
  ) {
    let age = now.seconds(since: attempt.sent)
    guard attempt.isMulticast else {
      guard isPassed, age >= max(0.01, smoothed ?? RoundTrip.first) else { return }
      waiting[place].missing[id]?.isLost = true
      answer.isLost = true
      return
    }
    // Another multicast of it is under way, or scheduled.
    guard waiting[place].nextMulticast == .distantFuture,
      isPassed ? age >= Self.leastSpacing : isMulticast && age >= Self.longestDelay
    else { return }
    answer.isLost = true
    waiting[place].negativeAcks += 1
    if waiting[place].negativeAcks == Self.manyNegativeAcks,
      waiting[place].multicastCount < Self.mostMulticasts
    {
      waiting[place].nextMulticast = now
    } else {
      waiting[place].missing[id]?.isLost = true
    }
  }

  /// Returns the correction for a receiver that waits for a message that it will not get; nil for none.
  ///
  /// The receiver will not get a message that was given up, or that was sent before the receiver joined. The correction
  /// is the next message for this receiver, or else the message queued last.
  private func correction(_ ack: Ack, _ id: MemberID) -> PlayMessage? {
    let first = waiting.first { $0.missing[id] != nil }?.message
    guard ack.waits, var message = first ?? last, first.map({ $0.number > ack.latest }) ?? true else {
      return nil
    }
    (message.to, message.first) = (id, message.number)
    return message
  }

  /// Determines from an acknowledgement which of the given-up messages a member has received, and which are lost.
  private mutating func resolve(
    _ ack: Ack, from id: MemberID, at now: HostTime, _ answer: inout Answer
  ) {
    for place in unresolved.indices where unresolved[place].missing.contains(id) {
      let number = unresolved[place].number
      if ack.hasReceived(number) {
        unresolved[place].missing.remove(id)
        answer.isNew = true
      } else if number < ack.latest, unresolved[place].lossFrom <= now {
        unresolved[place].missing.remove(id)
        answer.losses.append((unresolved[place].address, id))
      }
    }
    unresolved.removeAll { $0.missing.isEmpty }
  }

  /// Forgets a member; returns the messages that it has not received.
  mutating func forget(_ id: MemberID) -> [Loss] {
    var losses: [Loss] = []
    for place in unresolved.indices where unresolved[place].missing.remove(id) != nil {
      losses.append((unresolved[place].address, id))
    }
    for place in waiting.indices where waiting[place].missing.removeValue(forKey: id) != nil {
      losses.append((waiting[place].message.play.address, id))
    }
    unresolved.removeAll { $0.missing.isEmpty }
    waiting.removeAll { $0.missing.isEmpty }
    return losses
  }

  mutating func shift(by nanoseconds: Int64) {
    for place in waiting.indices {
      waiting[place].posted.shift(by: nanoseconds)
      waiting[place].end.shift(by: nanoseconds)
      waiting[place].nextMulticast.shift(by: nanoseconds)
      waiting[place].lastMulticast.shift(by: nanoseconds)
      for index in waiting[place].missing.indices {
        waiting[place].missing.values[index].sent.shift(by: nanoseconds)
      }
    }
    for place in unresolved.indices {
      unresolved[place].lossFrom.shift(by: nanoseconds)
      unresolved[place].until.shift(by: nanoseconds)
    }
  }
}
