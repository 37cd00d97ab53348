import MoCore

extension SessionCore {
  /// Sends something to one member; false where too much waits for it.
  mutating func post(_ message: PlayMessage, at now: HostTime) -> Bool {
    guard members[message.to] != nil else { return false }
    switch message.play.address.delivery {
    case .ordered:
      let line = PlayLine(to: message.to, isShared: message.play.address == .cells)
      return post(message, in: line, to: [message.to], called: [], at: now) == 0
    case .latestWins: return postLatest(message, at: now)
    case .acknowledged, .bestEffort:
      play.loose[message.to, default: []].append(message)
      gather(at: now)
    }
    return true
  }

  /// Sends something to all, by one call to those who hear it; for how many of them too much waits.
  mutating func postToAll(_ message: PlayMessage, _ receivers: [MemberID], at now: HostTime) -> Int {
    let called = receivers.filter { hearsCalls($0, at: now) }
    switch message.play.address.delivery {
    case .ordered:
      let line = PlayLine(to: .nobody, isShared: message.play.address == .cells)
      return post(message, in: line, to: receivers, called: Set(called), at: now)
    case .latestWins where postLatest(message, at: now): break
    case .latestWins: return receivers.count
    case .acknowledged, .bestEffort:
      for id in [.nobody] + receivers.filter({ !called.contains($0) }) {
        var message = message
        message.to = id
        play.loose[id, default: []].append(message)
      }
      gather(at: now)
    }
    return 0
  }

  private mutating func post(
    _ message: PlayMessage, in line: PlayLine, to receivers: [MemberID], called: Set<MemberID>,
    at now: HostTime
  ) -> Int {
    let end = end(of: message, postedAt: now, at: now)
    if play.outboxes[line] == nil {
      play.streams &+= 1
      play.outboxes[line] = PlayOutbox(line, count: play.streams)
    }
    let refused = play.outboxes[line]?.add(message, to: receivers, called: called, until: end, at: now) ?? []
    for id in refused { noteLoss(of: message.play.address, to: id, at: now) }
    gather(at: now)
    return refused.count
  }

  /// Lets what was put in line go out in a moment, together with what comes until then.
  private mutating func gather(at now: HostTime) {
    play.nextSend = min(play.nextSend, now.advanced(bySeconds: PlayOutbox.gathering))
  }

  /// When something is given up that nobody has acknowledged.
  ///
  /// What has a beat is soon past it. Who has not heard that a sound ends would hear it for ever.
  private func end(of message: PlayMessage, postedAt posted: HostTime, at now: HostTime) -> HostTime {
    let end = posted.advanced(bySeconds: PlayOutbox.timeout)
    guard let stamp = message.stamp, !message.play.endsSound else { return end }
    let most = message.play.isStroke ? SessionPlay.strokeTimeout : SessionPlay.timeout
    guard case .at(let time) = due(stamp, at: now) else { return min(end, posted.advanced(bySeconds: most)) }
    return min(end, max(time, posted).advanced(bySeconds: most))
  }

  private mutating func postLatest(_ message: PlayMessage, at now: HostTime) -> Bool {
    guard case .change(let change) = message.play else { return false }
    var entry = LatestOutbox(message: message, name: change.fullName, next: now)
    var list = play.latest[message.to] ?? []
    if let place = list.firstIndex(where: { $0.name == entry.name }) {
      // Values in quick succession: the newest is sent when the pause is over.
      entry.next = max(now, list[place].sent.advanced(bySeconds: LatestOutbox.interval))
      entry.sent = list[place].sent
      list[place] = entry
    } else {
      guard list.count < LatestOutbox.most else {
        if message.to != .nobody { noteLoss(of: .parameter, to: message.to, at: now) }
        return false
      }
      list.append(entry)
    }
    play.latest[message.to] = list
    play.nextSend = min(play.nextSend, max(entry.next, now.advanced(bySeconds: PlayOutbox.gathering)))
    return true
  }

  // MARK: calls

  /// Whether a member hears our calls to all, and acknowledges them by its own.
  private func hearsCalls(_ id: MemberID, at now: HostTime) -> Bool {
    guard let member = members[id], !member.isHidden, !play.deaf.contains(id) else { return false }
    return isCalling(member, at: now)
  }

  /// Whether a member's calls to all come through.
  private func isCalling(_ member: Member, at now: HostTime) -> Bool {
    member.lastCalled.map { now.seconds(since: $0) < SilenceLimits.calls * roomInterval } ?? false
  }

  /// Decides whether what is for all goes by calls.
  ///
  /// Messages keep their order where that changes: what is on its way comes first, and what was not to be had for a
  /// second is given up.
  mutating func chooseCalls(among receivers: [MemberID], at now: HostTime) {
    let count = receivers.count { $0 != me && hearsCalls($0, at: now) }
    if play.isCalling {
      let isQuiet = play.outboxes[PlayLine(to: .nobody, isShared: false)]?.waiting.isEmpty ?? true
      if count <= PlayDelivery.fewestCalled, isQuiet { play.isCalling = false }
      return
    }
    let old = now.advanced(bySeconds: -PlayDelivery.stuck)
    guard count >= PlayDelivery.manyCalled,
      !play.outboxes.contains(where: { line, outbox in
        !line.isForAll && !line.isShared && outbox.waiting.contains { $0.posted > old }
      })
    else { return }
    play.isCalling = true
    for line in play.outboxes.keys where !line.isForAll && !line.isShared {
      play.outboxes[line]?.giveUp(before: now)
    }
    play.nextSend = min(play.nextSend, now)
  }

  /// Seconds after which those who have not acknowledged a call are told alone: two of their receipts may be lost.
  private var callTimeout: Double {
    2.3 * roomInterval * Double((members.count + PlayReceipts.most - 1) / PlayReceipts.most)
  }

  // MARK: out

  /// The shared clock in milliseconds; nil while it is not known.
  func milliseconds(at now: HostTime) -> Int64? {
    isSynced ? beatClock.sessionTime(at: now).nanoseconds / 1_000_000 : nil
  }

  /// Sends what was gathered, what was not acknowledged, and what is acknowledged.
  mutating func tellPlayers(at now: HostTime) {
    guard now >= play.nextSend else { return }
    var due = PlayOutbox.Due()
    (due.messages, play.loose) = (play.loose, [:])
    due.calls = due.messages.removeValue(forKey: .nobody) ?? []
    collectStreams(at: now, into: &due)
    collectLatest(at: now, into: &due)
    var parts: [MemberID: [[UInt8]]] = [:]
    for (id, messages) in due.messages {
      parts[id] = messages.map { SessionMessage.play($0).encoded() }
    }
    for (id, time) in play.owed where time <= now || parts[id] != nil {
      if let receipts = receipts(to: id, at: now) { parts[id, default: []].insert(receipts, at: 0) }
    }
    for id in parts.keys.sorted() {
      guard let endpoint = members[id]?.endpoint, let messages = parts[id] else { continue }
      for datagram in SessionBundle.datagrams(of: messages) {
        outgoing.append(Outgoing(destination: .one(endpoint), datagram: datagram))
      }
    }
    var calls = due.calls.map { SessionMessage.play($0).encoded() }
    if now >= play.nextReceipts, let receipts = receiptsToAll(at: now) { calls.append(receipts) }
    for datagram in SessionBundle.datagrams(of: calls) {
      outgoing.append(Outgoing(destination: .members, datagram: datagram))
    }
    for loss in due.losses { noteLoss(of: loss.address, to: loss.member, at: now) }
    planSending(at: now)
  }

  private mutating func collectStreams(at now: HostTime, into due: inout PlayOutbox.Due) {
    let (milliseconds, callTimeout) = (milliseconds(at: now), callTimeout)
    for line in play.outboxes.keys.sorted() {
      guard var outbox = play.outboxes.removeValue(forKey: line) else { continue }
      outbox.setEnds(at: now) { end(of: $0.message, postedAt: $0.posted, at: now) }
      outbox.collect(
        at: now, milliseconds: milliseconds, callTimeout: callTimeout, play.trips, into: &due)
      play.outboxes[line] = outbox
    }
    for id in due.expired { play.trips[id, default: RoundTrip()].expired() }
    play.deaf.formUnion(due.deaf)
  }

  private mutating func collectLatest(at now: HostTime, into due: inout PlayOutbox.Due) {
    for id in play.latest.keys.sorted() {
      guard var list = play.latest[id] else { continue }
      for place in list.indices {
        guard var message = list[place].due(at: now) else { continue }
        guard id == .nobody else {
          due.messages[id, default: []].append(message)
          continue
        }
        due.calls.append(message)
        for (id, member) in members where !member.isHidden && !hearsCalls(id, at: now) {
          message.to = id
          due.messages[id, default: []].append(message)
        }
      }
      list.removeAll { $0.isDone }
      play.latest[id] = list.isEmpty ? nil : list
    }
  }

  private mutating func planSending(at now: HostTime) {
    var next = play.nextReceipts
    for time in play.owed.values { next = min(next, time) }
    for outbox in play.outboxes.values {
      next = min(next, outbox.next(callTimeout: callTimeout, play.trips))
    }
    for list in play.latest.values { for entry in list { next = min(next, entry.next) } }
    play.nextSend = next
  }

  // MARK: receipts

  /// Notes that something is to be acknowledged: soon to its sender, or now and then to all who call.
  mutating func owe(_ message: PlayMessage, _ inbox: inout PlayInbox, at now: HostTime) {
    inbox.noteReceipt(of: message)
    if message.to == .nobody, play.nextReceipts == .distantFuture {
      play.nextReceipts = receiptsTime(after: now)
    }
    if message.to == me {
      owe(message.from, at: now.advanced(bySeconds: PlayDelivery.receiptPause))
    } else if inbox.waits, play.owed[message.from] == nil {
      owe(message.from, at: now.advanced(bySeconds: inbox.askingPause()))
    }
    play.nextSend = min(play.nextSend, play.nextReceipts)
  }

  private mutating func owe(_ id: MemberID, at time: HostTime) {
    let time = min(time, play.owed[id] ?? .distantFuture)
    play.owed[id] = time
    play.nextSend = min(play.nextSend, time)
  }

  /// When receipts go to all: once an interval, each member at a moment of its own in it.
  private func receiptsTime(after now: HostTime) -> HostTime {
    let interval = Int64(roomInterval * 1e9)
    let phase = Int64(me.bits % 1024) * interval / 1024
    let passed = (now.nanoseconds &- phase) % interval
    return HostTime(nanoseconds: now.nanoseconds &+ interval &- (passed < 0 ? passed + interval : passed))
  }

  /// What a member is told of what has come from it; nil for nothing.
  private mutating func receipts(to id: MemberID, at now: HostTime) -> [UInt8]? {
    play.owed[id] = nil
    guard let member = members[id], var inbox = play.inboxes[id] else { return nil }
    let streams = inbox.takeOwed()
    // What is waited for is asked for again.
    if inbox.waits { owe(id, at: now.advanced(bySeconds: inbox.askingPause())) }
    play.inboxes[id] = inbox
    guard !streams.isEmpty else { return nil }
    let isHeard = isCalling(member, at: now)
    let list = streams.map { $0.receipt(to: id, hearsCalls: isHeard) }
    return SessionMessage.got(PlayReceipts(from: me, to: id, list: list)).encoded()
  }

  /// What all are told of what has come by their calls; nil for nothing.
  private mutating func receiptsToAll(at now: HostTime) -> [UInt8]? {
    var list: [PlayReceipt] = []
    let senders = play.inboxes.keys.filter { play.inboxes[$0]?.isToBeTold == true }.sorted()
    let start = senders.firstIndex { $0 >= play.nextSender } ?? 0
    var rest = (senders[start...] + senders[..<start])[...]
    // A sender has two streams that are called at most.
    while list.count < PlayReceipts.most - 1, let id = rest.popFirst() {
      guard let member = members[id] else {
        play.inboxes[id]?.forgetTellings()
        continue
      }
      let isHeard = isCalling(member, at: now)
      list += (play.inboxes[id]?.takeCalled() ?? []).map { $0.receipt(to: id, hearsCalls: isHeard) }
    }
    play.nextSender = rest.first ?? .nobody
    let isMore = play.inboxes.values.contains(where: \.isToBeTold)
    play.nextReceipts = isMore ? receiptsTime(after: now) : .distantFuture
    return list.isEmpty ? nil : SessionMessage.got(PlayReceipts(from: me, to: .nobody, list: list)).encoded()
  }

  /// Takes in what has come to a member.
  mutating func take(_ receipts: PlayReceipts, now: HostTime) {
    let id = receipts.from
    for receipt in receipts.list where receipt.sender == me {
      let line = PlayLine(ofStream: receipt.stream, to: id)
      guard
        let answer = play.outboxes[line]?.take(
          receipt, from: id, isCall: receipts.to == .nobody, smoothed: play.trips[id]?.smoothed, at: now)
      else { continue }
      if receipt.hearsCalls { play.deaf.remove(id) } else { play.deaf.insert(id) }
      if let seconds = answer.roundTrip { play.trips[id, default: RoundTrip()].take(seconds) }
      if let seconds = answer.callDelay, members[id]?.brief.base?.lineage == base?.lineage {
        play.callDelays.add(seconds)
      }
      if answer.isNew {
        play.trips[id]?.answered()
        play.losses[id]?.answered(at: now)
        play.nextLoss = min(play.nextLoss, play.losses[id]?.due ?? .distantFuture)
      }
      for loss in answer.losses { noteLoss(of: loss.address, to: loss.member, at: now) }
      if let message = answer.correction,
        play.corrections[id, default: RateLimit()].allows(at: now, most: PlayDelivery.mostCorrections)
      {
        play.loose[id, default: []].append(message)
      }
      // What has room now, or is lost, goes at once.
      if answer.isNew || answer.isLost || answer.correction != nil { gather(at: now) }
    }
  }

  /// Lets go of what was on its way to a member that goes, and tells what it has not got.
  ///
  /// - Parameter said: whether it says goodbye: who leaves does not miss what was played in the moment of leaving.
  mutating func forgetPlayer(_ id: MemberID, said: Bool, now: HostTime) {
    for line in play.outboxes.keys.sorted() {
      for loss in play.outboxes[line]?.forget(id) ?? [] {
        if said { counts.undelivered += 1 } else { noteLoss(of: loss.address, to: id, at: now) }
      }
      if line.to == id { play.outboxes[line] = nil }
    }
    tellLosses(of: id, at: now)
    play.losses[id] = nil
    play.latest[id] = nil
    play.loose[id] = nil
    play.trips[id] = nil
    play.owed[id] = nil
    play.corrections[id] = nil
    play.deaf.remove(id)
    play.nextGesture[id] = nil
  }
}

extension SessionPlay {
  /// Seconds after its beat for which a stroke is worth sending: so late it still sounds at once.
  static let strokeTimeout = 0.1
  /// Seconds after its beat for which all else is sent.
  static let timeout = 1.0
}
