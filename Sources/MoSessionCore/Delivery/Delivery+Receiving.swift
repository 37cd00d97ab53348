import MoCore

/// A play for this member that waits for its beat, or is due.
package struct DuePlay: Sendable {
  var from: MemberID
  /// The sender's installation: its gates count even if the sender has left before the beat.
  var installation: MemberID
  package var play: SessionPlay
  /// The beat at which the play sounds; nil for a play that sounds immediately.
  var stamp: PlayStamp?
  var arrived: HostTime
  /// The time at which the play is due; while that time is not known, the time of the play's arrival.
  var time: HostTime
  /// The play's lateness in seconds; infinite if its beat never comes, or is not known in time.
  var late = 0.0

  /// Seconds for which a play waits if the play's rhythm is not known here.
  static let timeout = 2.0
  /// The seconds after a new start, and after a play's beat, within which a play for a beat before the start arrives.
  ///
  /// A stroke is retransmitted for a shorter time, `SessionPlay.strokeTimeout`. A longer time would also match a play
  /// for the new take, if the earlier take was short.
  static let restartDelay = 0.25
  /// The largest time from the arrival of a play until its beat, in seconds; a later beat counts as a beat that never
  /// comes.
  static let horizon = 120.0
  /// The shortest time in seconds from the delivery of a punctual play to the program until the play's beat.
  ///
  /// Changes of the tempo are announced earlier, so the time of the beat is final. The sound is rendered after the
  /// delivery.
  static let ahead = 0.15
  /// Seconds between two checks whether a change of the tempo has moved the time at which a waiting play is due.
  static let checkInterval = 0.1
  /// The lateness that is inaudible and so does not count, in seconds.
  static let tolerance = 0.000_5
}

extension Delivery {
  // MARK: receiving

  /// Processes a received play.
  package mutating func receive(_ message: PlayMessage, _ room: RoomView, _ out: inout Effects) {
    let isOrdered = message.play.address.delivery == .ordered
    guard isOrdered == (message.stream > 0), message.isInItsQueue else {
      out.counts.malformed += 1
      return
    }
    var window = received[message.from] ?? ReceiveWindow()
    let isPaced = window.pace.allows(at: room.now, most: ReceiveWindow.fastest)
    // An unacknowledged message is retransmitted, and may then find room.
    guard isPaced, hasSpace(for: message.from) else {
      out.counts.unwanted += 1
      received[message.from] = window
      return
    }
    var list = [message]
    if isOrdered {
      list = window.receive(message, milliseconds: room.clock.milliseconds(at: room.now))
      scheduleAck(message, &window, room)
    } else if !window.isNewest(message) {
      list = []
    }
    received[message.from] = window
    forgetWindows(room)
    deliver(list, from: message.from, room, &out)
  }

  /// Delivers the messages of a leaving member that were waiting for an earlier, lost message.
  ///
  /// The lost message can no longer be retransmitted. If the member came back minutes later, the waiting messages would
  /// otherwise be played together with its next message.
  mutating func deliverWaiting(from id: MemberID, _ room: RoomView, _ out: inout Effects) {
    guard let list = received[id]?.popWaiting(), !list.isEmpty else { return }
    deliver(list, from: id, room, &out)
  }

  private mutating func deliver(
    _ list: [PlayMessage], from id: MemberID, _ room: RoomView, _ out: inout Effects
  ) {
    let isIgnored = room.members[id]?.isIgnored != false
    for message in list {
      // Shared data belongs to the room, even if an ignored member sends it.
      if isIgnored, message.play.address != .cells {
        out.counts.unwanted += 1
      } else {
        hold(message, room, &out)
      }
    }
    releaseHeld(room, &out)
  }

  /// Returns whether one more line of text from a member may be shown now.
  mutating func mayShowText(of id: MemberID, at now: HostTime) -> Bool {
    received[id]?.texts.allows(at: now, most: SessionText.fastest) == true
  }

  private func hasSpace(for id: MemberID) -> Bool {
    held.count < Self.mostHeld && held.count { $0.from == id } < Self.mostHeldOfOne
  }

  /// Forgets receive windows of members that have left, if more than `Roster.mostMembers` windows are stored.
  ///
  /// Up to this number such windows remain stored, since a retransmission may still arrive.
  private mutating func forgetWindows(_ room: RoomView) {
    while received.count > Roster.mostMembers,
      let gone = received.keys.filter({ room.members[$0] == nil }).min()
    {
      received[gone] = nil
    }
  }

  /// Holds a play until its beat, or delivers the play immediately if it has no beat.
  mutating func hold(_ message: PlayMessage, _ room: RoomView, _ out: inout Effects) {
    let item = DuePlay(
      from: message.from, installation: (try? room.roster.installation(message.from)) ?? .nobody,
      play: message.play, stamp: message.stamp, arrived: room.now, time: room.now)
    guard message.stamp != nil else { return out.add(.due(item)) }
    // Plays that are already due come first.
    releaseHeld(room, &out)
    wait(item, room, &out)
  }

  /// Delivers the plays that are due soon.
  mutating func releaseHeld(_ room: RoomView, _ out: inout Effects) {
    guard room.now >= nextHeld else { return }
    nextHeld = .distantFuture
    let waiting = held
    held.removeAll(keepingCapacity: true)
    for item in waiting { wait(item, room, &out) }
  }

  /// Delivers a play to the program if the play is due soon; otherwise holds it until then.
  private mutating func wait(_ item: DuePlay, _ room: RoomView, _ out: inout Effects) {
    guard let stamp = item.stamp else { return }
    let (now, settings) = (room.now, room.roster.settings)
    func release(at time: HostTime, beat: Double? = nil, late: Double) {
      var item = item
      (item.time, item.late) = (time, late)
      item.stamp?.beat = beat ?? stamp.beat
      out.add(.due(item))
    }
    switch room.clock.due(stamp, settings.lag, at: now) {
    case .at(let time, _) where time.seconds(since: item.arrived) > DuePlay.horizon:
      release(at: now, late: .infinity)
    case .at(let time, let beat) where item.play.isAnnounced:
      // People want to see a cue early. The rhythm may still change meanwhile: the beat counts.
      release(at: time, beat: beat, late: max(0, now.seconds(since: time)))
    case .at(let time, let beat):
      let due = time.advanced(bySeconds: -max(DuePlay.ahead, settings.soundLead + 0.05))
      guard due <= now else { return hold(item, until: due, at: now) }
      let late = now.seconds(since: time) + settings.soundLead
      release(at: time, beat: beat, late: late > DuePlay.tolerance ? late : 0)
    case .never: release(at: now, late: .infinity)
    case .unknown:
      guard now.seconds(since: item.arrived) < DuePlay.timeout else {
        return release(at: now, late: .infinity)
      }
      hold(item, until: .distantFuture, at: now)
    }
  }

  private mutating func hold(_ item: DuePlay, until time: HostTime, at now: HostTime) {
    held.append(item)
    nextHeld = min(nextHeld, min(time, now.advanced(bySeconds: DuePlay.checkInterval)))
  }

  // MARK: acknowledgements

  /// Schedules the acknowledgement of a message: soon for a message to this member alone, at regular times for a
  /// multicast.
  private mutating func scheduleAck(_ message: PlayMessage, _ window: inout ReceiveWindow, _ room: RoomView) {
    window.prepareAck(of: message)
    if message.to == .nobody, nextAcks == .distantFuture { nextAcks = acksTime(room) }
    if message.to == room.me {
      scheduleAck(message.from, at: room.now.advanced(bySeconds: Self.ackPause))
    } else if window.waits, ackTimes[message.from] == nil {
      scheduleAck(message.from, at: room.now.advanced(bySeconds: window.requestPause()))
    }
    nextSend = min(nextSend, nextAcks)
  }

  private mutating func scheduleAck(_ id: MemberID, at time: HostTime) {
    let time = min(time, ackTimes[id] ?? .distantFuture)
    ackTimes[id] = time
    nextSend = min(nextSend, time)
  }

  /// Returns the time at which acknowledgements are next multicast to all members.
  ///
  /// They are multicast once in each interval between hellos, at a point of the interval that depends on this member's
  /// ID.
  private func acksTime(_ room: RoomView) -> HostTime {
    let interval = Int64(room.roster.helloInterval * 1e9)
    let phase = Int64(room.me.bits % 1024) * interval / 1024
    let now = room.now.nanoseconds
    let passed = (now &- phase) % interval
    return HostTime(nanoseconds: now &+ interval &- (passed < 0 ? passed + interval : passed))
  }

  /// Returns the acknowledgements for one member; nil for none.
  mutating func acks(to id: MemberID, _ room: RoomView) -> [UInt8]? {
    ackTimes[id] = nil
    guard let member = room.members[id], var window = received[id] else { return nil }
    let streams = window.popDueAcks()
    // Missing messages are requested again.
    if window.waits { scheduleAck(id, at: room.now.advanced(bySeconds: window.requestPause())) }
    received[id] = window
    guard !streams.isEmpty else { return nil }
    let receivesMulticast = sendsMulticast(member, room)
    let list = streams.map { $0.ack(to: id, receivesMulticast: receivesMulticast) }
    return SessionMessage.got(Acks(from: room.me, to: id, list: list)).encoded()
  }

  /// Returns the acknowledgements of all members' multicasts; nil for none.
  mutating func acksToAll(_ room: RoomView) -> [UInt8]? {
    var list: [Ack] = []
    let senders = received.keys.filter { received[$0]?.hasAcksToAll == true }.sorted()
    let start = senders.firstIndex { $0 >= nextSender } ?? 0
    var rest = (senders[start...] + senders[..<start])[...]
    // A sender has at most two multicast streams.
    while list.count < Acks.most - 1, let id = rest.popFirst() {
      guard let member = room.members[id] else {
        received[id]?.cancelAcksToAll()
        continue
      }
      let receivesMulticast = sendsMulticast(member, room)
      list += (received[id]?.popMulticastAcks() ?? []).map {
        $0.ack(to: id, receivesMulticast: receivesMulticast)
      }
    }
    nextSender = rest.first ?? .nobody
    nextAcks = received.values.contains(where: \.hasAcksToAll) ? acksTime(room) : .distantFuture
    return list.isEmpty ? nil : SessionMessage.got(Acks(from: room.me, to: .nobody, list: list)).encoded()
  }

  /// Processes a member's acknowledgements.
  package mutating func receive(_ acks: Acks, _ room: RoomView, _ out: inout Effects) {
    let (id, now) = (acks.from, room.now)
    for ack in acks.list where ack.sender == room.me {
      let queue = PlayQueue(ofStream: ack.stream, to: id)
      guard
        let answer = windows[queue]?.receive(
          ack, from: id, isMulticast: acks.to == .nobody, smoothed: trips[id]?.smoothed, at: now)
      else { continue }
      if ack.receivesMulticast { withoutMulticast.remove(id) } else { withoutMulticast.insert(id) }
      if let seconds = answer.roundTrip { trips[id, default: RoundTrip()].add(seconds) }
      if let seconds = answer.multicastDelay, room.sharesClock(id) { multicastDelays.add(seconds) }
      if answer.isNew {
        trips[id]?.answered()
        losses[id]?.answered(at: now)
        nextLoss = min(nextLoss, losses[id]?.due ?? .distantFuture)
      }
      for loss in answer.losses { recordLoss(of: loss.address, to: loss.member, room, &out) }
      if let message = answer.correction,
        corrections[id, default: RateLimit()].allows(at: now, most: Self.mostCorrections)
      {
        unrepeated[id, default: []].append(message)
      }
      // Messages that now have room, or are lost, are sent immediately.
      if answer.isNew || answer.isLost || answer.correction != nil { scheduleSend(at: now) }
    }
  }
}
