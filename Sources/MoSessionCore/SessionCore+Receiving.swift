import MoCore

extension SessionCore {
  /// Most members that are kept; more are not heard.
  static let mostMembers = 256
  /// Most members at one address.
  static let mostAtAddress = 16
  /// Most members in one IPv6 network, so that none of its machines can fill the room.
  static let mostInNetwork = 128

  /// Takes in a datagram.
  ///
  /// - Parameters:
  ///   - arrival: when it came, by the kernel's stamp if there is one.
  ///   - now: the moment, not before `arrival`.
  package mutating func receive(
    _ datagram: [UInt8], from endpoint: SessionEndpoint, at arrival: HostTime, now: HostTime
  ) {
    counts.received += 1
    latest = now
    do throws(MessageError) {
      for message in try SessionMessage.list(datagram) {
        if case .signed(let from, let signed) = message {
          try take(signed, from: from, at: endpoint, now: now)
        } else {
          take(message, datagram.count, from: endpoint, at: arrival, now: now)
        }
      }
    } catch {
      switch error {
      case .malformed, .foreign: counts.malformed += 1
      case .version(let version):
        counts.otherVersion += 1
        otherVersions.note(datagram, version, from: endpoint, room: settings.room, now: now)
        if counts.otherVersion == 1 { events.append(.otherVersion(version)) }
      }
    }
  }

  private mutating func take(
    _ message: SessionMessage, _ size: Int, from endpoint: SessionEndpoint, at arrival: HostTime,
    now: HostTime
  ) {
    switch message {
    case .hello(let hello): take(hello, nil, from: endpoint, now: now)
    case .prove(let proof): take(proof, from: endpoint, now: now)
    case .who(let room):
      guard room == settings.room || room == "*", knocks.allows(at: now) else { return }
      let answer = hello(.answer, wantsAnswer: false, to: endpoint, now: now)
      // Whoever asks may bear another's address, who must not get more than twice what was sent in its name.
      guard answer.encoded().count <= 2 * size else {
        counts.unwanted += 1
        return
      }
      send(answer, to: endpoint)
    case .bye(let room, let from):
      guard room == settings.room, hear(from, at: endpoint, now: now) else { return }
      remove(from, said: true, now: now)
    case .ping(let ping): take(ping, from: endpoint, at: arrival, now: now)
    case .pong(let pong): take(pong, from: endpoint, at: arrival, now: now)
    case .state(let from, let state):
      guard hear(from, at: endpoint, now: now) else { return }
      guard settings.signer == nil else {
        counts.forged += 1
        return
      }
      take(state, from: from, now: now)
      // What is known here by now; a state that was refused is not acknowledged.
      send(.heard(from: me, self.state.version), to: endpoint)
    case .heard(let from, let version):
      guard hear(from, at: endpoint, now: now) else { return }
      take(version, of: from, now: now)
    case .panic(let from, let number):
      guard hear(from, at: endpoint, now: now) else { return }
      takeCall(number, from: from, at: endpoint, now: now)
    case .panicked(let from, let number, let told):
      guard hear(from, at: endpoint, now: now) else { return }
      silence.confirmed(from, number: number, told: told)
    case .follow(let port, let key):
      var follower = endpoint
      follower.port = UInt16(port)
      follow(follower, key: key, now: now)
    case .play(let message):
      guard isForMe(message.to, from: message.from, at: endpoint, now: now) else { return }
      take(message, now: now)
    case .got(let receipts):
      guard isForMe(receipts.to, from: receipts.from, at: endpoint, now: now) else { return }
      take(receipts, now: now)
    case .activity(let activity):
      guard activity.to == me, hear(activity.from, at: endpoint, now: now) else { return }
      take(activity, now: now)
    case .askCells(let from, let to):
      guard to == me, hear(from, at: endpoint, now: now) else { return }
      answerCells(from, now: now)
    case .askHealth(let from, let to):
      guard to == me, hear(from, at: endpoint, now: now) else { return }
      answerHealth(from, at: endpoint, now: now)
    case .health(let from, let to, let health):
      guard to == me, hear(from, at: endpoint, now: now) else { return }
      checkup?.answers[from] = health
    case .beat, .signed: break
    }
  }

  /// Notes that a member was heard; false for senders that have not shown where they are, which are asked to.
  mutating func hear(_ id: MemberID, at endpoint: SessionEndpoint, now: HostTime) -> Bool {
    guard id != me else { return false }
    guard let index = members.index(forKey: id), members.values[index].ways.contains(endpoint) else {
      counts.unwanted += 1
      challenge(endpoint, now: now)
      return false
    }
    let isBack = !isHere(members.values[index], at: now)
    members.values[index].hear(from: endpoint, interval: roomInterval, now: now)
    lastContact = now
    if isBack { tellSilence(to: id, now: now) }
    return true
  }

  /// Whether what a member plays or acknowledges is for this one, or for all.
  ///
  /// Calls of strangers bring them no challenge: there may be many, and their hellos do.
  private mutating func isForMe(
    _ receiver: MemberID, from id: MemberID, at endpoint: SessionEndpoint, now: HostTime
  ) -> Bool {
    if receiver == me { return hear(id, at: endpoint, now: now) }
    guard receiver == .nobody, id != me else { return false }
    guard members[id]?.endpoint == endpoint else {
      counts.unwanted += 1
      return false
    }
    // Who takes part without being shown is not meant, and acknowledges nothing.
    return !settings.isHidden && hear(id, at: endpoint, now: now)
  }

  /// Takes in a hello.
  ///
  /// - Parameter signed: the hello as it was signed; nil if it was not.
  mutating func take(
    _ hello: SessionMessage.Hello, _ signed: SignedMessage?, from endpoint: SessionEndpoint, now: HostTime
  ) {
    let id = hello.identity.member
    guard id != me else { return }
    guard hello.room == settings.room else {
      if !hello.isHidden { rooms.note(hello.room, id, now: now) }
      return
    }
    let index = members.index(forKey: id)
    let isKnown = index.map { members.values[$0].ways.contains(endpoint) } ?? false
    guard isKnown || index.map({ members.values[$0].ways.hasRoom(at: now) }) ?? true else {
      counts.unwanted += 1
      return
    }
    guard isKnown || hello.echo == path.token(for: endpoint)
    else { return challenge(endpoint, token: hello.token, echo: hello.echo, rung: hello.rung, now: now) }
    guard isKnown || hasRoom(at: endpoint, forNewcomer: index == nil) else {
      counts.unwanted += 1
      return
    }
    switch proof(of: hello, signed, from: endpoint, now: now) {
    case .given: break
    case .missing:
      return challenge(endpoint, token: hello.token, echo: hello.echo, rung: hello.rung, now: now)
    case .isFalse: return
    }
    lastContact = now
    if let index {
      let before = members.values[index]
      members.values[index].hear(hello, from: endpoint, interval: roomInterval, now: now)
      let after = members.values[index]
      if after.identity != before.identity || after.isHidden != before.isHidden {
        note(after.identity, at: now)
      }
    } else {
      join(hello, at: endpoint, now: now)
    }
    if hello.wantsAnswer { answer(id, at: endpoint, echo: hello.isCall ? 0 : hello.token, now: now) }
    watchOfSections.note(hello.identity, at: now)
    if hello.activity > 0 { watchOfSections.played(hello.identity.installation, isLate: false, at: now) }
    take(hello.brief, of: id, said: hello.said, now: now)
    takeSilence(hello.silence, by: hello.silencer, from: id, now: now)
    take(hello.others, from: endpoint, now: now)
    compareShared(hello.digest, of: id, now: now)
  }

  /// Whether another member, or another address of one, can be kept.
  private func hasRoom(at endpoint: SessionEndpoint, forNewcomer isNew: Bool) -> Bool {
    guard !isNew || members.count < Self.mostMembers else { return false }
    let isFull =
      members.values.count { $0.ways.endpoints.contains { $0.isSameHost(as: endpoint) } }
      >= Self.mostAtAddress
    guard !isFull, isNew, endpoint.isIPv6 else { return !isFull }
    // A machine has as many IPv6 addresses in its network as it likes.
    return members.values.count { $0.ways.endpoints.contains { $0.isSameNetwork(as: endpoint) } }
      < Self.mostInNetwork
  }

  private mutating func join(_ hello: SessionMessage.Hello, at endpoint: SessionEndpoint, now: HostTime) {
    let id = hello.identity.member
    replace(hello, at: endpoint, now: now)
    var member = Member(hello, at: endpoint, now: now)
    // What it answered was our own call.
    if hello.rung == .answer, hints.hasCalled(id) { member.rung = .avahi }
    members[id] = member
    note(hello.identity, at: now)
    discovery.found(now: now)
    silence.joined(id)
    if !hello.isHidden { events.append(.joined(id)) }
    notify(.roster, at: now)
    watch.next = min(watch.next, now)
    if isLeading(id) { nextSweep = now }
  }

  /// Lets go of a member whose program was killed, and has started again.
  private mutating func replace(
    _ hello: SessionMessage.Hello, at endpoint: SessionEndpoint, now: HostTime
  ) {
    let old = hello.replaced
    // An installation can only take the place of its own program, on the same machine.
    guard let ghost = members[old], ghost.identity.installation == hello.identity.installation,
      ghost.identity.machine == hello.identity.machine, ghost.endpoint.isSameHost(as: endpoint)
    else { return }
    remove(old, said: false, now: now)
  }

  private mutating func answer(_ id: MemberID, at endpoint: SessionEndpoint, echo: Int64, now: HostTime) {
    // A newcomer calls three times in half a second, and of hundreds who hear it not all need answer each time.
    let most = max(1, Int(Double(RateLimit.most) / roomInterval))
    guard members[id]?.answers.allows(at: now, most: most) == true else { return }
    let answer = hello(.answer, wantsAnswer: false, to: endpoint, echo: echo, now: now)
    if echo == 0 { send(answer, to: endpoint) } else { sendProof(answer, to: id, at: endpoint) }
  }

  private mutating func take(
    _ ping: SessionMessage.Ping, from endpoint: SessionEndpoint, at arrival: HostTime, now: HostTime
  ) {
    guard ping.to == me, hear(ping.from, at: endpoint, now: now) else { return }
    send(
      .pong(
        SessionMessage.Pong(
          from: me, to: ping.from, number: ping.number, sent: ping.sent, received: arrival, answered: now,
          brief: brief, map: map(at: now))), to: endpoint)
    take(ping.brief, of: ping.from, said: ping.sent, now: now)
    tellStateOfPart(to: ping.from, now: now)
  }

  private mutating func take(
    _ pong: SessionMessage.Pong, from endpoint: SessionEndpoint, at arrival: HostTime, now: HostTime
  ) {
    guard pong.to == me, hear(pong.from, at: endpoint, now: now) else { return }
    guard measured[pong.from]?.take(pong, returned: arrival) == true else {
      counts.unwanted += 1
      return
    }
    let isStale = members[pong.from]?.isStale(pong.answered) ?? true
    take(pong.brief, of: pong.from, said: pong.answered, now: now)
    if !isStale { members[pong.from]?.map = pong.map }
    synchronise(with: pong.from, now: now)
  }

  /// Takes in what a member knows.
  private mutating func take(_ brief: Brief, of id: MemberID, said: HostTime, now: HostTime) {
    guard let index = members.index(forKey: id), !members.values[index].isStale(said) else { return }
    // Its map is to the clock that it went by.
    if brief.base?.lineage != members.values[index].brief.base?.lineage { members.values[index].map = nil }
    members.values[index].note(brief.version)
    members.values[index].brief = brief
    if brief.version == beside?.state?.version { noteBeside(at: now) }
    members.values[index].briefed = said
    if let base = brief.base {
      pulses.note(base, brief.pulse, brief.standing, at: now)
      weigh(base, brief.version, of: id, now: now)
    }
    noteLag(of: id, now: now)
  }

  /// Lets go of a member.
  mutating func remove(_ id: MemberID, said: Bool, now: HostTime) {
    guard members[id] != nil else { return }
    // Who says goodbye does not come back for the baton.
    if said, id == state.conductor { conductorLostAt = .distantPast }
    forgetPlayer(id, said: said, now: now)
    guard let member = members.removeValue(forKey: id) else { return }
    hints.lost(id, said: said, now: now)
    watch.next = .distantPast
    measured[id] = nil
    lagging.remove(id)
    checkup?.answers[id] = nil
    activity.others[id] = nil
    sharing.answered[id] = nil
    silence.forget(id, said: said)
    names.left(id, at: now, isLost: !said)
    // A room that all have left is no room from which this member is cut off.
    if said, members.isEmpty { lastContact = nil }
    lookForSharedInstallations(at: now)
    if !member.isHidden { events.append(.left(id, said: said)) }
    notify(.roster, at: now)
    if isLeading(id) { nextSweep = now }
  }

  /// Whether somebody's coming or going cannot wait for the next sweep.
  private func isLeading(_ id: MemberID) -> Bool { id == base?.keeper || id == state.conductor }
}
