import MoCore

extension Delivery {
  // MARK: queueing

  /// Sends a play to its receivers; this member may be a receiver, too.
  ///
  /// - Parameter isForAll: whether the play is for all members, so that a multicast can carry it if multicasts are in
  ///   use.
  /// - Returns: the number of receivers whose queues are full.
  package mutating func play(
    _ play: SessionPlay, to receivers: [MemberID], stamp: PlayStamp?, isForAll: Bool, _ room: RoomView,
    _ out: inout Effects
  ) -> Int {
    if play.isNumbered { numbers &+= 1 }
    var message = PlayMessage(
      from: room.me, to: room.me, stream: 0, number: numbers, first: numbers, stamp: stamp, play: play)
    if receivers.contains(room.me) { hold(message, room, &out) }
    let others = receivers.filter { $0 != room.me }
    var refused = 0
    if isForAll, usesMulticast {
      message.to = .nobody
      refused = postToAll(message, others, room, &out)
    } else {
      for id in others {
        message.to = id
        if !post(message, room, &out) { refused += 1 }
      }
    }
    releaseHeld(room, &out)
    return refused
  }

  /// Returns the receivers to which the last gesture was sent at least `gestureInterval` seconds ago.
  ///
  /// A gesture to any other receiver is dropped: the next gesture replaces it.
  mutating func paceGesture(_ receivers: [MemberID], at now: HostTime) -> [MemberID] {
    let due = receivers.filter { now >= nextGesture[$0] ?? .distantPast }
    for id in due { nextGesture[id] = now.advanced(bySeconds: Self.gestureInterval) }
    return due
  }

  /// Sends edits of cells to one member, or to all members if `id` is `nobody`.
  mutating func post(_ cells: SharedEdits, to id: MemberID, _ room: RoomView, _ out: inout Effects) {
    let message = PlayMessage(
      from: room.me, to: id, stream: 0, number: 0, first: 0, stamp: nil, play: .cells(cells))
    if id == .nobody {
      _ = postToAll(message, room.members.keys.sorted(), room, &out)
    } else {
      _ = post(message, room, &out)
    }
  }

  /// Sends a message to one member; returns false if the member is not in the room, or if its queue is full.
  package mutating func post(_ message: PlayMessage, _ room: RoomView, _ out: inout Effects) -> Bool {
    guard room.members[message.to] != nil else { return false }
    switch message.play.address.delivery {
    case .ordered:
      let queue = PlayQueue(to: message.to, isShared: message.play.address == .cells)
      return post(message, in: queue, to: [message.to], byMulticast: [], room, &out) == 0
    case .latestWins: return postLatest(message, room, &out)
    case .acknowledged, .bestEffort:
      unrepeated[message.to, default: []].append(message)
      scheduleSend(at: room.now)
    }
    return true
  }

  /// Sends a message to all members; returns the number of members whose queues are full.
  ///
  /// Members that receive multicasts get the message by multicast, the other members by unicast.
  private mutating func postToAll(
    _ message: PlayMessage, _ receivers: [MemberID], _ room: RoomView, _ out: inout Effects
  ) -> Int {
    let byMulticast = receivers.filter { receivesMulticast($0, room) }
    switch message.play.address.delivery {
    case .ordered:
      let queue = PlayQueue(to: .nobody, isShared: message.play.address == .cells)
      return post(message, in: queue, to: receivers, byMulticast: Set(byMulticast), room, &out)
    case .latestWins where postLatest(message, room, &out): break
    case .latestWins: return receivers.count
    case .acknowledged, .bestEffort:
      for id in [.nobody] + receivers.filter({ !byMulticast.contains($0) }) {
        var message = message
        message.to = id
        unrepeated[id, default: []].append(message)
      }
      scheduleSend(at: room.now)
    }
    return 0
  }

  private mutating func post(
    _ message: PlayMessage, in queue: PlayQueue, to receivers: [MemberID], byMulticast: Set<MemberID>,
    _ room: RoomView, _ out: inout Effects
  ) -> Int {
    let end = end(of: message, postedAt: room.now, room)
    if windows[queue] == nil {
      streams &+= 1
      windows[queue] = SendWindow(queue, count: streams)
    }
    let refused =
      windows[queue]?.add(message, to: receivers, byMulticast: byMulticast, until: end, at: room.now) ?? []
    for id in refused { recordLoss(of: message.play.address, to: id, room, &out) }
    scheduleSend(at: room.now)
    return refused.count
  }

  /// Schedules a send 1 ms from now, so that messages that are queued until then share a datagram.
  mutating func scheduleSend(at now: HostTime) {
    nextSend = min(nextSend, now.advanced(bySeconds: SendWindow.batchDelay))
  }

  /// Returns the time at which an unacknowledged message is given up.
  ///
  /// A stroke (a strike or the start of a note) is useless soon after its beat. The end of a sound is retransmitted for
  /// longer: a receiver that misses the end would sound forever.
  private func end(of message: PlayMessage, postedAt posted: HostTime, _ room: RoomView) -> HostTime {
    let end = posted.advanced(bySeconds: SendWindow.timeout)
    guard let stamp = message.stamp, !message.play.endsSound else { return end }
    let most = message.play.isStroke ? SessionPlay.strokeTimeout : SessionPlay.timeout
    guard case .at(let time, _) = room.clock.due(stamp, room.roster.settings.lag, at: room.now) else {
      return min(end, posted.advanced(bySeconds: most))
    }
    return min(end, max(time, posted).advanced(bySeconds: most))
  }

  private mutating func postLatest(
    _ message: PlayMessage, _ room: RoomView, _ out: inout Effects
  ) -> Bool {
    guard case .change(let change) = message.play else { return false }
    var entry = LatestChange(message: message, name: change.fullName, next: room.now)
    var list = latest[message.to] ?? []
    if let place = list.firstIndex(where: { $0.name == entry.name }) {
      // For values in quick succession, the newest is sent when the pause is over.
      entry.next = max(room.now, list[place].sent.advanced(bySeconds: LatestChange.interval))
      entry.sent = list[place].sent
      list[place] = entry
    } else {
      guard list.count < LatestChange.most else {
        if message.to != .nobody { recordLoss(of: .parameter, to: message.to, room, &out) }
        return false
      }
      list.append(entry)
    }
    latest[message.to] = list
    nextSend = min(nextSend, max(entry.next, room.now.advanced(bySeconds: SendWindow.batchDelay)))
    return true
  }

  // MARK: sending

  /// Sends gathered messages, retransmissions and acknowledgements.
  package mutating func send(_ room: RoomView, _ out: inout Effects) {
    guard room.now >= nextSend else { return }
    var due = SendWindow.Due()
    (due.messages, unrepeated) = (unrepeated, [:])
    due.multicasts = due.messages.removeValue(forKey: .nobody) ?? []
    collectStreams(room, into: &due)
    collectLatest(room, into: &due)
    var parts: [MemberID: [[UInt8]]] = [:]
    for (id, messages) in due.messages {
      parts[id] = messages.map { SessionMessage.play($0).encoded() }
    }
    for (id, time) in ackTimes where time <= room.now || parts[id] != nil {
      if let acks = acks(to: id, room) { parts[id, default: []].insert(acks, at: 0) }
    }
    for id in parts.keys.sorted() {
      guard let endpoint = room.members[id]?.endpoint, let messages = parts[id] else { continue }
      for datagram in SessionBundle.datagrams(of: messages) { out.send(datagram, to: .one(endpoint)) }
    }
    var multicasts = due.multicasts.map { SessionMessage.play($0).encoded() }
    if room.now >= nextAcks, let acks = acksToAll(room) { multicasts.append(acks) }
    for datagram in SessionBundle.datagrams(of: multicasts) { out.send(datagram, to: .members) }
    for loss in due.losses { recordLoss(of: loss.address, to: loss.member, room, &out) }
    planSending(room)
  }

  private mutating func collectStreams(_ room: RoomView, into due: inout SendWindow.Due) {
    let (milliseconds, timeout) = (room.clock.milliseconds(at: room.now), multicastTimeout(room))
    for queue in windows.keys.sorted() {
      guard var window = windows.removeValue(forKey: queue) else { continue }
      window.setEnds(at: room.now) { end(of: $0.message, postedAt: $0.posted, room) }
      window.collect(at: room.now, milliseconds: milliseconds, multicastTimeout: timeout, trips, into: &due)
      windows[queue] = window
    }
    for id in due.expired { trips[id, default: RoundTrip()].expired() }
    withoutMulticast.formUnion(due.withoutMulticast)
  }

  private mutating func collectLatest(_ room: RoomView, into due: inout SendWindow.Due) {
    for id in latest.keys.sorted() {
      guard var list = latest[id] else { continue }
      for place in list.indices {
        guard var message = list[place].due(at: room.now) else { continue }
        guard id == .nobody else {
          due.messages[id, default: []].append(message)
          continue
        }
        due.multicasts.append(message)
        for (id, member) in room.members where !member.isHidden && !receivesMulticast(id, room) {
          message.to = id
          due.messages[id, default: []].append(message)
        }
      }
      list.removeAll { $0.isDone }
      latest[id] = list.isEmpty ? nil : list
    }
  }

  private mutating func planSending(_ room: RoomView) {
    var next = nextAcks
    let timeout = multicastTimeout(room)
    for time in ackTimes.values { next = min(next, time) }
    for window in windows.values { next = min(next, window.next(multicastTimeout: timeout, trips)) }
    for list in latest.values { for entry in list { next = min(next, entry.next) } }
    nextSend = next
  }
}

extension SessionPlay {
  /// Seconds after the beat of a stroke (a strike or the start of a note) for which the stroke is still sent.
  ///
  /// The receiver plays such a late stroke immediately.
  static let strokeTimeout = 0.1
  /// Seconds after the beat of any other play for which that play is still sent.
  static let timeout = 1.0

  /// Whether the play is sent outside the ordered streams; all such plays of a sender are numbered together.
  var isNumbered: Bool { address.delivery != .ordered }
}

/// The newest value of a parameter, on its way to a single member or to all members.
struct LatestChange: Sendable {
  var message: PlayMessage
  var name: String
  var next: HostTime
  /// The time at which a value was last sent.
  var sent = HostTime.distantPast
  /// The pauses before the repetitions of a value, in seconds.
  ///
  /// A value is repeated, since no member acknowledges it.
  var pauses: ArraySlice<Double> = [0.1, 0.3, 1]

  /// The largest number of parameters whose newest values are on their way to the same receiver.
  static let most = 64
  /// The least time between the sends of two values of a parameter, in seconds.
  static let interval = 0.04

  /// Returns the message if it is due, and schedules the next repetition.
  mutating func due(at now: HostTime) -> PlayMessage? {
    guard next <= now else { return nil }
    sent = now
    next = pauses.popFirst().map { now.advanced(bySeconds: $0) } ?? .distantFuture
    return message
  }
  /// Whether the message was repeated for the last time.
  var isDone: Bool { next == .distantFuture }
}
