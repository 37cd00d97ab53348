import MoCore

extension Roster {
  // MARK: hellos

  /// Sends a hello to all if it is due, and probes the known addresses.
  ///
  /// - Parameter isLeading: whether this member keeps the clock or conducts; if so, it sends a hello every second.
  mutating func discover(isLeading: Bool, at now: HostTime, _ out: inout Effects) {
    let isAlone = members.isEmpty
    if now >= discovery.nextHello {
      out.add(
        .hello(
          HelloRequest(
            endpoint: nil, method: .multicast, wantsAnswer: isAlone, isIPv6Too: sendsByIPv6(at: now))))
      discovery.scheduleNextHello(at: now, interval: isLeading ? 1 : helloInterval)
    }
    if now >= discovery.nextBroadcast {
      if isAlone {
        out.add(.hello(HelloRequest(endpoint: nil, method: .broadcast, wantsAnswer: true)))
      }
      discovery.nextBroadcast = now.advanced(bySeconds: 3)
    }
    guard now >= discovery.nextProbe else { return }
    let known = discovery.typed.isEmpty ? [] : Set(members.values.flatMap(\.addresses.endpoints))
    for endpoint in discovery.typed where !known.contains(endpoint) { probe(endpoint, method: .typed, &out) }
    if isAlone {
      for endpoint in discovery.remembered { probe(endpoint, method: .remembered, &out) }
    }
    discovery.nextProbe = now.advanced(bySeconds: 2)
  }

  /// Returns whether the hello that is due is sent by IPv6 in addition to IPv4.
  ///
  /// Air time is scarce. Members with IPv4 and IPv6 need hellos by IPv6 only now and then, so that they can change to
  /// IPv6 if IPv4 fails.
  private func sendsByIPv6(at now: HostTime) -> Bool {
    discovery.hellos < 3 || discovery.hellos % 3 == 0 || members.isEmpty
      // If IPv4 has failed, members are heard by IPv6 before they count as gone.
      || members.values.contains { $0.addresses.isIPv6Only || !isHere($0, at: now) }
  }

  /// Probes the next hinted address of a member that is not here yet.
  ///
  /// If other rooms are listed (`listsRooms`), also asks hinted addresses of other rooms for the members there.
  mutating func probeHinted(at now: HostTime, _ out: inout Effects) {
    guard candidates.next <= now else { return }
    let own = settings.listedRoom ?? settings.room
    // Removed meanwhile, since `isWanted` reads the rest.
    var local = PeerCandidates()
    swap(&local, &candidates)
    let hint = local.popDue(at: now, among: members.count) { hint in
      hint.room == own ? isMissing(hint.member) : listsRooms && !rooms.knows(hint.member)
    }
    swap(&local, &candidates)
    guard let hint else { return }
    if hint.room == own {
      probe(hint.endpoint, method: .avahi, &out)
    } else {
      out.send(.who(room: "*"), to: hint.endpoint)
    }
  }

  /// Adds a hint from a directory: the hinted address is probed until the member answers.
  mutating func add(_ hint: PeerCandidate, now: HostTime) {
    if hint.member != me { candidates.add(hint, now: now) }
  }

  /// Removes a directory's hint; a member that is here stays while it is heard.
  mutating func forget(_ hint: PeerCandidate) { candidates.remove(hint) }

  /// Replaces the typed addresses, at which this member looks for other members.
  ///
  /// - Returns: whether a member of the room is at one of the new addresses.
  mutating func setTyped(_ endpoints: [SessionEndpoint]) -> Bool {
    discovery.typed = endpoints
    return members.values.contains { $0.addresses.endpoints.contains(where: endpoints.contains) }
  }

  // MARK: relayed addresses

  /// Returns up to eight members that were heard lately, so that a member that does not hear them can find them.
  ///
  /// Each call returns the next members in the order of their IDs.
  mutating func membersToRelay(to receiver: SessionEndpoint?, at now: HostTime) -> [RelayedMember] {
    let here = members.keys.filter { id in members[id].map { isHere($0, at: now) } ?? false }.sorted()
    let first = here.firstIndex { $0 >= nextRelayed } ?? 0
    let relayed = (here[first...] + here[..<first]).prefix(RelayedMember.most)
    nextRelayed = relayed.last.map { MemberID($0.bits &+ 1) } ?? .nobody
    return relayed.map { id in
      RelayedMember(member: id, endpoint: members[id]?.addresses.relayEndpoint(for: receiver))
    }
  }

  /// Looks for the members in another member's list that this member does not hear.
  mutating func receive(_ others: [RelayedMember], from relay: SessionEndpoint, now: HostTime) {
    for other in others where isMissing(other.member) {
      unreachable.receive(other.member, at: now)
      guard let endpoint = other.endpoint?.relayed(by: relay), endpoint.isNear(relay) else { continue }
      candidates.receive(
        PeerCandidate(member: other.member, room: settings.listedRoom ?? settings.room, endpoint: endpoint),
        now: now)
    }
  }

  /// Counts the members that other members hear and this member does not hear; reports an increase as an event.
  mutating func checkUnreachable(at now: HostTime, _ out: inout Effects) {
    let members = members
    let isMore = unreachable.check(at: now) { members[$0] == nil }
    if isMore { out.event(.outOfReach(unreachable.count)) }
  }

  // MARK: silent members

  /// Removes members that count as gone, and asks silent members for an answer.
  ///
  /// A message from a member delays that member's deadlines. When a member leaves, the deadlines of the other members
  /// become earlier.
  package mutating func checkMembers(at now: HostTime, _ out: inout Effects) {
    guard now >= nextCheck else { return }
    var next = HostTime.distantFuture
    var (gone, silent): ([MemberID], [MemberID]) = ([], [])
    var unanswered: [MemberID] = []
    for index in members.indices {
      let timeout = SilenceLimits(
        with: members.values[index].lastHeard, lastMulticast: members.values[index].lastMulticast,
        among: members.count)
      if now > timeout.end {
        gone.append(members.keys[index])
      } else if now > timeout.question {
        silent.append(members.keys[index])
        if now.seconds(since: timeout.question) > 0.6 { unanswered.append(members.keys[index]) }
      }
      next = min(next, min(timeout.end, timeout.question))
    }
    nextCheck = next
    for id in gone.sorted() { out.add(.lost(id)) }
    for id in silent.sorted() {
      if let endpoint = members[id]?.endpoint { out.requestAnswer(at: endpoint) }
    }
    for id in unanswered.sorted() { askOtherAddresses(id, &out) }
  }

  /// Asks a member for an answer, at all its addresses except the address in use.
  func askOtherAddresses(_ id: MemberID, _ out: inout Effects) {
    for endpoint in members[id]?.addresses.others ?? [] { out.requestAnswer(at: endpoint) }
  }
}
