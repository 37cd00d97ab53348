import MoCore

extension Roster {
  /// The decision about a hello that was received.
  package enum Admission {
    /// The hello is dropped, or its sender must prove its address or installation first.
    case refused
    case newcomer
    case member
  }

  /// Stores the time at which a member was heard; false if the sender has not proved its address, which is then
  /// challenged.
  package mutating func receive(
    from id: MemberID, at endpoint: SessionEndpoint, now: HostTime, _ out: inout Effects
  ) -> Bool {
    guard id != me else { return false }
    guard let index = members.index(forKey: id), members.values[index].addresses.contains(endpoint) else {
      out.counts.unwanted += 1
      challenge(endpoint, now: now, &out)
      return false
    }
    let isBack = !isHere(members.values[index], at: now)
    members.values[index].receive(from: endpoint, interval: helloInterval, now: now)
    lastContact = now
    if isBack { out.add(.returned(id)) }
    return true
  }

  /// Stores the time at which a message's sender was heard; false if the message must be dropped.
  ///
  /// The message is dropped if it is not for this member or for all members, or if its sender has not proved its
  /// address. A multicast from an unknown sender brings no challenge, since such multicasts may be many. The sender's
  /// next hello brings a challenge.
  mutating func receive(
    for receiver: MemberID, from id: MemberID, at endpoint: SessionEndpoint, now: HostTime,
    _ out: inout Effects
  ) -> Bool {
    if receiver == me { return receive(from: id, at: endpoint, now: now, &out) }
    guard receiver == .nobody, id != me else { return false }
    guard members[id]?.endpoint == endpoint else {
      out.counts.unwanted += 1
      return false
    }
    // A hidden member is no receiver, and acknowledges nothing.
    return !settings.isHidden && receive(from: id, at: endpoint, now: now, &out)
  }

  /// Decides whether a hello is refused, or comes from a member or a newcomer.
  ///
  /// - Parameter signed: the signed form of the hello; nil if it was not signed.
  package mutating func admit(
    _ hello: SessionMessage.Hello, _ signed: SignedMessage?, from endpoint: SessionEndpoint, now: HostTime,
    _ out: inout Effects
  ) -> Admission {
    let id = hello.identity.member
    guard id != me else { return .refused }
    guard hello.room == settings.room else {
      if !hello.isHidden { rooms.add(hello.room, id, now: now) }
      return .refused
    }
    let index = members.index(forKey: id)
    let isKnown = index.map { members.values[$0].addresses.contains(endpoint) } ?? false
    guard isKnown || index.map({ members.values[$0].addresses.hasSpace(at: now) }) ?? true else {
      out.counts.unwanted += 1
      return .refused
    }
    guard isKnown || hello.echo == path.token(for: endpoint) else {
      challenge(endpoint, token: hello.token, echo: hello.echo, method: hello.method, now: now, &out)
      return .refused
    }
    guard isKnown || hasSpace(at: endpoint, forNewcomer: index == nil) else {
      out.counts.unwanted += 1
      return .refused
    }
    switch proof(of: hello, signed, from: endpoint, now: now, &out) {
    case .given: break
    case .missing:
      challenge(endpoint, token: hello.token, echo: hello.echo, method: hello.method, now: now, &out)
      return .refused
    case .isFalse: return .refused
    }
    lastContact = now
    return index == nil ? .newcomer : .member
  }

  /// Returns whether there is room for another member, or for another address of a member.
  private func hasSpace(at endpoint: SessionEndpoint, forNewcomer isNew: Bool) -> Bool {
    guard !isNew || members.count < Self.mostMembers else { return false }
    // A network cannot forge the loopback address, and a classroom may run on a single machine.
    if endpoint.isLoopback { return true }
    let isFull =
      members.values.count { $0.addresses.endpoints.contains { $0.isSameHost(as: endpoint) } }
      >= Self.mostAtAddress
    guard !isFull, isNew, endpoint.isIPv6 else { return !isFull }
    // A machine can have any number of IPv6 addresses in its network.
    return members.values.count { $0.addresses.endpoints.contains { $0.isSameNetwork(as: endpoint) } }
      < Self.mostInNetwork
  }

  /// Updates a member from its hello.
  package mutating func update(
    _ hello: SessionMessage.Hello, from endpoint: SessionEndpoint, now: HostTime, _ out: inout Effects
  ) {
    guard let index = members.index(forKey: hello.identity.member) else { return }
    let before = members.values[index]
    members.values[index].receive(hello, from: endpoint, interval: helloInterval, now: now)
    let after = members.values[index]
    if after.identity != before.identity || after.isHidden != before.isHidden {
      updateName(after.identity, at: now, &out)
    }
  }

  /// Returns the earlier member of a newcomer's program, if the program was killed and started again; nil for none.
  func replacedMember(of hello: SessionMessage.Hello, at endpoint: SessionEndpoint) -> MemberID? {
    // An installation can only replace its own program, on the same machine.
    guard let replacedMember = members[hello.replaced],
      replacedMember.identity.installation == hello.identity.installation,
      replacedMember.identity.machine == hello.identity.machine,
      // By IPv4 or IPv6, whichever is heard first.
      replacedMember.addresses.endpoints.contains(where: { $0.isSameHost(as: endpoint) })
    else { return nil }
    return hello.replaced
  }

  /// Adds a new member.
  package mutating func join(
    _ hello: SessionMessage.Hello, at endpoint: SessionEndpoint, now: HostTime, _ out: inout Effects
  ) {
    let id = hello.identity.member
    var member = Member(hello, at: endpoint, now: now)
    // It answered our own probe.
    if hello.method == .answer, candidates.wasProbed(id) { member.method = .avahi }
    members[id] = member
    updateName(hello.identity, at: now, &out)
    nextCheck = min(nextCheck, now)
    out.add(.joined(id))
    if !hello.isHidden { out.event(.joined(id)) }
    out.add(.notice(.roster))
  }

  /// Answers a hello that asks for an answer.
  ///
  /// - Parameter echo: the token in the member's hello, which the answer must return; 0 for none.
  mutating func answer(
    _ id: MemberID, at endpoint: SessionEndpoint, echo: Int64, now: HostTime, _ out: inout Effects
  ) {
    // A newcomer sends three hellos in half a second; with hundreds of members, not all need to answer each of them.
    let most = max(1, Int(Double(RateLimit.most) / helloInterval))
    guard members[id]?.answers.allows(at: now, most: most) == true else { return }
    out.add(.hello(HelloRequest(endpoint: endpoint, echo: echo, addressee: echo == 0 ? nil : id)))
  }

  /// Stores the installation and the name from a hello; if the hello's activity is above 0, also stores that the
  /// installation has moved.
  mutating func recordActivity(of hello: SessionMessage.Hello, at now: HostTime) {
    activityTimes.storeName(hello.identity, isHidden: hello.isHidden, at: now)
    if hello.activity > 0 {
      activityTimes.recordActivity(hello.identity.installation, isLate: false, at: now)
    }
  }

  /// Stores the time at which a member has reported a movement.
  mutating func recordMovement(of id: MemberID, at now: HostTime) {
    guard let member = members[id] else { return }
    activityTimes.recordActivity(member.identity.installation, isLate: false, at: now)
  }

  /// Stores the time of an installation's play, and the seconds by which the play was late.
  ///
  /// Cues, texts, shared settings and gestures without movement are ignored.
  mutating func recordActivity(of installation: MemberID, _ play: SessionPlay, late: Double, at now: HostTime)
  {
    switch play {
    case .cells, .cue, .text: return
    case .gesture(let gesture): guard gesture.activity > 0 else { return }
    case .hit, .note, .melody, .change: break
    }
    activityTimes.recordActivity(installation, isLate: late > 0, at: now)
  }

  /// The changes in a summary.
  struct SummaryChange {
    var isOtherClock: Bool
    var isOtherVersion: Bool
  }

  /// Stores a summary of a member, and returns its changes from the last one; nil if a newer summary is already stored.
  mutating func store(_ summary: StateSummary, of id: MemberID, sent: HostTime) -> SummaryChange? {
    guard let index = members.index(forKey: id), !members.values[index].isStale(sent) else { return nil }
    let before = members.values[index].summary
    members.values[index].summary = summary
    members.values[index].summarySent = sent
    return SummaryChange(
      isOtherClock: summary.base?.lineage != before.base?.lineage,
      isOtherVersion: summary.version != before.version)
  }

  /// Stores the version of the state that a member has; returns whether the version has changed.
  mutating func store(_ version: StateVersion, of id: MemberID) -> Bool {
    guard let index = members.index(forKey: id) else { return false }
    defer { members.values[index].summary.version = version }
    return version != members.values[index].summary.version
  }

  /// Stores the sender of a hello that has another version of the protocol.
  mutating func recordOtherVersion(
    _ datagram: [UInt8], _ version: Int32, from endpoint: SessionEndpoint, now: HostTime
  ) {
    otherVersions.add(datagram, version, from: endpoint, room: settings.room, now: now)
  }

  /// Removes a member.
  ///
  /// - Parameter withGoodbye: whether the member has said goodbye.
  mutating func remove(_ id: MemberID, withGoodbye: Bool, now: HostTime, _ out: inout Effects) {
    guard let member = members.removeValue(forKey: id) else { return }
    candidates.lost(id, withGoodbye: withGoodbye, now: now)
    nextCheck = .distantPast
    names.reserve(id, at: now, isLost: !withGoodbye)
    if !member.isHidden {
      activityTimes.storeEnd(of: member.identity.installation, withGoodbye: withGoodbye)
    }
    // If all members have left with a goodbye, this member is not cut off.
    if withGoodbye, members.isEmpty { lastContact = nil }
    checkInstallations(at: now, &out)
    if !member.isHidden { out.event(.left(id, said: withGoodbye)) }
    out.add(.notice(.roster))
  }

  /// Updates a member's displayed name, and the check for shared installations, for a new or changed identity.
  private mutating func updateName(_ identity: SessionIdentity, at now: HostTime, _ out: inout Effects) {
    members[identity.member]?.isIgnored = settings.ignored.contains(identity.installation)
    if members[identity.member]?.isHidden == false {
      let others = members.values.filter { !$0.isHidden && $0.identity.member != identity.member }
      let me = settings.isHidden ? [] : [settings.identity]
      names.assign(identity, among: others.map(\.identity) + me, at: now)
    } else {
      names.reserve(identity.member, at: now)
    }
    checkInstallations(at: now, &out)
  }

  /// Checks whether members on different machines have the same installation, and reports new cases.
  private mutating func checkInstallations(at now: HostTime, _ out: inout Effects) {
    let all = members.values.map(\.identity) + [settings.identity]
    let groups = Dictionary(grouping: all.lazy.filter { $0.machine != 0 }) { $0.installation }
    let shared = groups.filter { Set($0.value.map(\.machine)).count > 1 }
      .map { SharedInstallation(installation: $0.key, members: $0.value.map(\.member).sorted()) }
      .sorted { $0.installation < $1.installation }
    let before = sharedInstallations
    sharedInstallations = shared
    for one in shared {
      let isKnown = before.contains {
        $0.installation == one.installation && Set($0.members).isSuperset(of: one.members)
      }
      if !isKnown, sharingNotices.allows(at: now, most: 2) { out.event(.shared(one)) }
    }
  }
}
