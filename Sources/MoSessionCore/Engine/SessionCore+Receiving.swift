import MoCore

extension SessionCore {
  /// Processes a received datagram.
  ///
  /// - Parameters:
  ///   - arrival: the time of arrival, by the kernel's timestamp if there is one.
  ///   - now: the current time, not before `arrival`.
  package mutating func receive(
    _ datagram: [UInt8], from endpoint: SessionEndpoint, at arrival: HostTime, now: HostTime
  ) {
    out.counts.received += 1
    latest = now
    do throws(MessageError) {
      for message in try SessionMessage.list(datagram) {
        if case .signed(let from, let signed) = message {
          try receive(signed, from: from, at: endpoint, now: now)
        } else {
          receive(message, datagram.count, from: endpoint, at: arrival, now: now)
        }
        drain(at: now)
      }
    } catch {
      switch error {
      case .malformed, .foreign: out.counts.malformed += 1
      case .version(let version):
        out.counts.otherVersion += 1
        roster.recordOtherVersion(datagram, version, from: endpoint, now: now)
        if out.counts.otherVersion == 1 { events.append(.otherVersion(version)) }
      }
    }
  }

  private mutating func receive(
    _ message: SessionMessage, _ size: Int, from endpoint: SessionEndpoint, at arrival: HostTime,
    now: HostTime
  ) {
    if let (from, to) = message.parties {
      guard to == nil || to == me, acceptSender(from, at: endpoint, now: now) else { return }
    }
    switch message {
    case .hello(let hello): receive(hello, nil, from: endpoint, now: now)
    case .prove(let proof): roster.receive(proof, from: endpoint, now: now, &out)
    case .who(let room): answer(room, size, to: endpoint, now: now)
    case .bye(let room, let from):
      guard room == roster.settings.room, acceptSender(from, at: endpoint, now: now) else { return }
      remove(from, withGoodbye: true, now: now)
    case .ping(let ping): receive(ping, from: endpoint, at: arrival, now: now)
    case .pong(let pong): receive(pong, at: arrival, now: now)
    case .state(let from, let state):
      guard roster.settings.signer == nil else {
        out.counts.forged += 1
        return
      }
      agreement.receive(state, from: from, view(now), &out)
      acknowledgeState(to: endpoint, now: now)
    case .heard(let from, let version):
      let isOther = roster.store(version, of: from)
      agreement.restartPush(of: from, isOther: isOther)
      agreement.updatePush(of: from, view(now))
    case .panic(let from, let number):
      agreement.receiveCall(number, from: from, at: endpoint, view(now), &out)
    case .panicked(let from, let number, let reported):
      agreement.receiveConfirmation(of: number, from: from, reported)
    case .follow(let port, let key):
      var follower = endpoint
      follower.port = UInt16(port)
      guard roster.hasProved(follower, key: key, now: now, &out) else { return }
      if !followers.add(follower, now: now) { out.counts.unwanted += 1 }
    case .play(let message):
      guard roster.receive(for: message.to, from: message.from, at: endpoint, now: now, &out) else { return }
      drain(at: now)
      delivery.receive(message, view(now), &out)
    case .got(let acks):
      guard roster.receive(for: acks.to, from: acks.from, at: endpoint, now: now, &out) else { return }
      drain(at: now)
      delivery.receive(acks, view(now), &out)
    case .activity(let report):
      if activity.receive(report, agreement, view(now), &out), report.level > 0 {
        roster.recordMovement(of: report.from, at: now)
      }
    case .askCells(let from, _): send(sharing.answer(from, at: now, &out), to: from, at: now)
    case .askHealth(let from, _):
      if roster.maySendHealth(from, at: now) {
        out.send(.health(from: me, to: from, roster.settings.health), to: endpoint)
      }
    case .health(let from, _, let health): healthCheck?.receive(health, from: from)
    case .beat, .signed: break
    }
  }

  /// Stores the time of a message as the time at which its sender was last heard; false if the sender has not proved
  /// its address.
  private mutating func acceptSender(_ id: MemberID, at endpoint: SessionEndpoint, now: HostTime) -> Bool {
    let isAccepted = roster.receive(from: id, at: endpoint, now: now, &out)
    drain(at: now)
    return isAccepted
  }

  /// Answers a program that asks for the members of a room.
  private mutating func answer(_ room: String, _ size: Int, to endpoint: SessionEndpoint, now: HostTime) {
    guard room == roster.settings.room || room == "*", roster.mayAnswerQuestion(at: now) else { return }
    // The sender's address may be forged, and its owner must not receive more than twice the bytes sent in its name.
    out.add(.hello(HelloRequest(endpoint: endpoint, mostBytes: 2 * size)))
  }

  /// Acknowledges a received state: sends its sender the version of the state that is in force here.
  ///
  /// If the received state was refused, its sender sees this from the version.
  private mutating func acknowledgeState(to endpoint: SessionEndpoint, now: HostTime) {
    drain(at: now)
    out.send(.heard(from: me, state.version), to: endpoint)
  }

  /// Processes a signed message.
  private mutating func receive(
    _ message: SignedMessage, from id: MemberID, at endpoint: SessionEndpoint, now: HostTime
  ) throws(MessageError) {
    guard roster.settings.signer != nil, id != me else {
      out.counts.unwanted += 1
      return
    }
    switch try SessionMessage(datagram: message.body) {
    case .hello(let hello):
      guard hello.identity.member == id else {
        out.counts.forged += 1
        return
      }
      receive(hello, message, from: endpoint, now: now)
    case .state(_, let state):
      guard acceptSender(id, at: endpoint, now: now) else { return }
      if !agreement.knows(message, of: id, view(now), &out),
        let signer = roster.signer(of: message, to: .nobody, from: endpoint, now: now, &out)
      {
        agreement.receive(state, message, by: signer, from: id, view(now), &out)
      }
      acknowledgeState(to: endpoint, now: now)
    default: out.counts.unwanted += 1
    }
  }

  /// Processes a hello.
  ///
  /// - Parameter signed: the signed form of the hello; nil if it was not signed.
  private mutating func receive(
    _ hello: SessionMessage.Hello, _ signed: SignedMessage?, from endpoint: SessionEndpoint, now: HostTime
  ) {
    let id = hello.identity.member
    switch roster.admit(hello, signed, from: endpoint, now: now, &out) {
    case .refused: return
    case .member: roster.update(hello, from: endpoint, now: now, &out)
    case .newcomer:
      if let replacedMember = roster.replacedMember(of: hello, at: endpoint) {
        remove(replacedMember, withGoodbye: false, now: now)
      }
      drain(at: now)
      roster.join(hello, at: endpoint, now: now, &out)
    }
    drain(at: now)
    if hello.wantsAnswer {
      roster.answer(id, at: endpoint, echo: hello.isMulticast ? 0 : hello.token, now: now, &out)
      drain(at: now)
    }
    roster.recordActivity(of: hello, at: now)
    receive(hello.summary, of: id, sent: hello.sent, now: now)
    agreement.receiveSilence(hello.silence, by: hello.silencer, from: id, view(now), &out)
    drain(at: now)
    roster.receive(hello.others, from: endpoint, now: now)
    send(sharing.compare(hello.digest, of: id, view(now), &out), to: id, at: now)
  }

  private mutating func receive(
    _ ping: SessionMessage.Ping, from endpoint: SessionEndpoint, at arrival: HostTime, now: HostTime
  ) {
    out.send(
      .pong(
        SessionMessage.Pong(
          from: me, to: ping.from, number: ping.number, sent: ping.sent, received: arrival, answered: now,
          summary: summary, map: clock.map(roster, at: now))), to: endpoint)
    receive(ping.summary, of: ping.from, sent: ping.sent, isPing: true, now: now)
    agreement.sendStateToPart(of: ping.from, view(now), &out)
  }

  private mutating func receive(_ pong: SessionMessage.Pong, at arrival: HostTime, now: HostTime) {
    guard clock.receive(pong, at: arrival) else {
      out.counts.unwanted += 1
      return
    }
    let isStale = roster.members[pong.from]?.isStale(pong.answered) ?? true
    receive(pong.summary, of: pong.from, sent: pong.answered, now: now)
    if !isStale, roster.members[pong.from] != nil { clock.store(pong.map, of: pong.from) }
    clock.synchronise(with: pong.from, roster, at: now, &out)
  }

  /// Processes the summary of a member: the data about the clock and the state that the member follows.
  ///
  /// - Parameter isPing: whether the summary came in a ping. A ping to another part of the room contains the version of
  ///   the other part's state that the sender knows. This is not the version of the sender's own state.
  private mutating func receive(
    _ summary: StateSummary, of id: MemberID, sent: HostTime, isPing: Bool = false, now: HostTime
  ) {
    drain(at: now)
    guard let change = roster.store(summary, of: id, sent: sent) else { return }
    // Its clock map refers to the clock that it followed before.
    if change.isOtherClock { clock.store(nil, of: id) }
    agreement.restartPush(of: id, isOther: change.isOtherVersion)
    agreement.renewSeparatePartIfMatching(summary.version, at: now)
    if let base = summary.base {
      clock.store(base, summary.pulse, summary.standing, at: now)
      if !isPing || base.lineage == clock.base?.lineage { compareClock(base, summary.version, at: now) }
    }
    agreement.updatePush(of: id, view(now))
  }
}
