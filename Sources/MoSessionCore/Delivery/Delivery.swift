import MoCore

/// The plays that this member sends and receives, including plays that wait for their beat.
package struct Delivery: Sendable {
  /// The sent messages that are not yet acknowledged, by queue (`PlayQueue`).
  package var windows: [PlayQueue: SendWindow] = [:]
  /// The newest parameter values to send, by receiver; `nobody` for multicasts.
  var latest: [MemberID: [LatestChange]] = [:]
  /// The messages that are sent only once, gathered by receiver; `nobody` for multicasts.
  var unrepeated: [MemberID: [PlayMessage]] = [:]
  /// The round-trip time to each member.
  var trips: [MemberID: RoundTrip] = [:]
  /// The members that do not receive our multicasts, as far as is known here.
  var withoutMulticast: Set<MemberID> = []
  /// For each receiver, the rate limit of corrections (`SendWindow.Answer`), which a forged acknowledgement can
  /// request.
  var corrections: [MemberID: RateLimit] = [:]
  /// Whether plays for all members are multicast; if false, each member gets its own copy by unicast.
  package var usesMulticast = false
  package var multicastDelays = MulticastDelays()
  package var received: [MemberID: ReceiveWindow] = [:]
  /// For each sender, the time by which this member must next acknowledge that sender's messages.
  var ackTimes: [MemberID: HostTime] = [:]
  /// The time at which this member next multicasts acknowledgements of the multicasts that it has received.
  var nextAcks = HostTime.distantFuture
  /// The sender with which the next multicast message of acknowledgements begins.
  ///
  /// The message acknowledges the multicasts of several senders. If the last message had no room for all senders, the
  /// next message begins with the first sender left out. Otherwise the value is `nobody`.
  var nextSender = MemberID.nobody
  package var held: [DuePlay] = []
  var heard: [SessionHeard] = []
  /// This member's messages that other members have not received, by receiver.
  package var losses: [MemberID: PlayLosses] = [:]
  /// The number of this member's newest stream (`streams`), and of its newest message without acknowledgement
  /// (`numbers`).
  var streams: Int32 = 0
  var numbers: Int32 = 0
  /// For each receiver, the time from which this member may send the next gesture.
  var nextGesture: [MemberID: HostTime] = [:]
  /// The rate limit of the lines of text that this member sends.
  var texts = RateLimit()
  /// The time of the next send.
  var nextSend = HostTime.distantFuture
  /// The time of the next check whether plays that wait for their beats are due.
  var nextHeld = HostTime.distantFuture
  /// The time of the next report of losses.
  var nextLoss = HostTime.distantFuture

  package init() {}

  /// The largest numbers of plays that wait for their beats: from all senders together (`mostHeld`), and from one
  /// sender (`mostHeldOfOne`).
  package static let mostHeld = 1024
  package static let mostHeldOfOne = 128
  /// The largest number of plays that wait until the program takes them; further plays are dropped.
  static let mostHeard = 4096
  /// The least time between two gestures to a member, in seconds.
  static let gestureInterval = 0.02
  /// The number of receivers at which multicasts begin to be used; with fewer receivers, unicast is more reliable on
  /// Wi-Fi.
  static let receiversForMulticast = 9
  /// The number of receivers at or below which multicasts are no longer used.
  static let receiversForUnicast = 5
  /// The seconds that an acknowledgement waits, so that it can share a datagram with other acknowledgements or
  /// messages.
  static let ackPause = 0.005
  /// The largest number of corrections (`SendWindow.Answer`) that are sent to a member per second.
  static let mostCorrections = 20
  /// Seconds for which an unacknowledged message delays the change from unicast to multicast; an older message is given
  /// up at the change.
  static let unicastTimeout = 1.0

  /// The earliest time at which a message must be sent, a waiting play must be checked, or a loss must be reported.
  var next: HostTime { min(nextSend, min(nextHeld, nextLoss)) }

  mutating func shift(by nanoseconds: Int64) {
    for place in windows.indices { windows.values[place].shift(by: nanoseconds) }
    for list in latest.indices {
      for place in latest.values[list].indices {
        latest.values[list][place].next.shift(by: nanoseconds)
        latest.values[list][place].sent = .distantPast
      }
    }
    for place in ackTimes.indices { ackTimes.values[place].shift(by: nanoseconds) }
    for place in held.indices { held[place].arrived.shift(by: nanoseconds) }
    for place in losses.indices { losses.values[place].shift(by: nanoseconds) }
    nextAcks.shift(by: nanoseconds)
    nextSend.shift(by: nanoseconds)
    nextHeld.shift(by: nanoseconds)
    nextLoss.shift(by: nanoseconds)
    nextGesture = [:]
  }

  /// Removes and returns the plays for this member, in the order in which they became due.
  mutating func drainHeard() -> [SessionHeard] {
    defer { heard.removeAll(keepingCapacity: true) }
    return heard
  }

  /// Delivers a play to the program; false if the queue of plays is full.
  mutating func enqueue(_ play: SessionHeard) -> Bool {
    guard heard.count < Self.mostHeard else { return false }
    heard.append(play)
    return true
  }

  /// Sends all gathered messages immediately.
  mutating func flush(_ room: RoomView, _ out: inout Effects) {
    nextSend = .distantPast
    send(room, &out)
  }

  /// Ends the delivery to and from a member that leaves.
  ///
  /// Messages to the member are dropped; those that the member missed are reported. Messages from the member that wait
  /// for an earlier message are delivered.
  ///
  /// - Parameter withGoodbye: whether the member says goodbye: messages that it has not acknowledged are then counted,
  ///   but not reported as missed.
  package mutating func forget(_ id: MemberID, withGoodbye: Bool, _ room: RoomView, _ out: inout Effects) {
    for queue in windows.keys.sorted() {
      for loss in windows[queue]?.forget(id) ?? [] {
        if withGoodbye {
          out.counts.undelivered += 1
        } else {
          recordLoss(of: loss.address, to: id, room, &out)
        }
      }
      if queue.to == id { windows[queue] = nil }
    }
    deliverWaiting(from: id, room, &out)
    reportLosses(of: id, room, &out)
    losses[id] = nil
    latest[id] = nil
    unrepeated[id] = nil
    trips[id] = nil
    ackTimes[id] = nil
    corrections[id] = nil
    withoutMulticast.remove(id)
    nextGesture[id] = nil
  }

  // MARK: losses

  /// Adds a message that a member has not received to that member's losses.
  mutating func recordLoss(
    of address: SessionAddress, to id: MemberID, _ room: RoomView, _ out: inout Effects
  ) {
    out.counts.undelivered += 1
    // Lost cells are no loss: the receiver requests the cells that it lacks.
    guard address != .cells, room.members[id] != nil else { return }
    losses[id, default: PlayLosses()].add(address, at: room.now)
    nextLoss = min(nextLoss, losses[id]?.due ?? .distantFuture)
  }

  /// Reports the messages that members have not received.
  mutating func reportLosses(_ room: RoomView, _ out: inout Effects) {
    guard room.now >= nextLoss else { return }
    for id in losses.keys.sorted() where losses[id].map({ $0.due <= room.now }) == true {
      reportLosses(of: id, room, &out)
    }
    nextLoss = losses.values.reduce(.distantFuture) { min($0, $1.due) }
  }

  private mutating func reportLosses(of id: MemberID, _ room: RoomView, _ out: inout Effects) {
    guard let counts = losses[id]?.popDue(at: room.now), !counts.isEmpty else { return }
    let name = room.roster.displayName(of: id) ?? id.description
    out.event(.undelivered(SessionLoss(member: id, name: name, counts: counts)))
  }
}

/// The multicasts of messages for all members, which are used if enough members receive multicasts.
extension Delivery {
  /// Returns whether a member receives our multicasts, and can acknowledge them by multicasts that reach us.
  func receivesMulticast(_ id: MemberID, _ room: RoomView) -> Bool {
    guard let member = room.members[id], !member.isHidden, !withoutMulticast.contains(id) else {
      return false
    }
    return sendsMulticast(member, room)
  }

  /// Returns whether a member's multicasts reach this member.
  func sendsMulticast(_ member: Member, _ room: RoomView) -> Bool {
    member.lastMulticast.map {
      room.now.seconds(since: $0) < SilenceLimits.blockedAfter * room.roster.helloInterval
    } ?? false
  }

  /// Decides whether messages for all are multicast.
  ///
  /// When this decision changes, messages keep their order: messages under way arrive first. But a message that was not
  /// acknowledged for a second is given up; a late copy of it may arrive after the first multicast.
  mutating func chooseMulticast(among receivers: [MemberID], _ room: RoomView) {
    let count = receivers.count { $0 != room.me && receivesMulticast($0, room) }
    if usesMulticast {
      let isQuiet = windows[PlayQueue(to: .nobody, isShared: false)]?.waiting.isEmpty ?? true
      if count <= Self.receiversForUnicast, isQuiet { usesMulticast = false }
      return
    }
    let old = room.now.advanced(bySeconds: -Self.unicastTimeout)
    guard count >= Self.receiversForMulticast,
      !windows.contains(where: { queue, window in
        !queue.isForAll && !queue.isShared && window.waiting.contains { $0.posted > old }
      })
    else { return }
    usesMulticast = true
    for queue in windows.keys where !queue.isForAll && !queue.isShared {
      windows[queue]?.giveUp(before: room.now)
    }
    nextSend = min(nextSend, room.now)
  }

  /// Returns the seconds after which a multicast is retransmitted to the single members that have not acknowledged it.
  ///
  /// Within this time a member multicasts at least two acknowledgements, so that a single loss has no effect.
  func multicastTimeout(_ room: RoomView) -> Double {
    2.3 * room.roster.helloInterval * Double((room.members.count + Acks.most - 1) / Acks.most)
  }

  /// Returns the seconds by which a message must be sent ahead of its beat.
  ///
  /// The result is the sum of the sound card's buffer and the network's delay. The network's delay is twice the time of
  /// a packet to the slowest receiver, or the measured delay of multicasts. If this member is a receiver, its own
  /// output delay that the sound device does not report is added.
  func lead(to receivers: [MemberID], _ room: RoomView) -> Double {
    var slowest = 0.0
    for id in receivers {
      slowest = max(slowest, Double(room.members[id]?.report.roundTripMilliseconds ?? 0))
    }
    let settings = room.roster.settings
    let own = receivers.contains(room.me) ? max(0, Double(settings.lag) * 1e-9) : 0
    // The other members' sound cards are assumed to be like this one's.
    let bufferTime = max(0.02, settings.soundLead + 0.003)
    let unicastTime = min(0.18, 1e-3 * (slowest + room.clock.sync.roundTrip * 1e-6))
    let isMulticast = usesMulticast && receivers.count > Self.receiversForUnicast
    return bufferTime + (isMulticast ? min(0.4, multicastDelays.bound) : unicastTime) + own
  }
}
