import MoCore

/// When to call out, and by which rung.
struct Discovery: Sendable {
  var start: HostTime
  var remembered: [SessionEndpoint]
  var typed: [SessionEndpoint]
  var nextHello: HostTime
  var nextBroadcast: HostTime
  var nextKnock: HostTime
  private(set) var hellos = 0
  /// Whether anybody was ever found.
  private(set) var hasFound = false

  /// Seconds one listens before founding a room of one's own.
  let listening: Double

  init(now: HostTime, listening: Double, remembered: [SessionEndpoint], typed: [SessionEndpoint]) {
    start = now
    self.listening = listening
    (self.remembered, self.typed) = (remembered, typed)
    (nextHello, nextKnock) = (now, now)
    nextBroadcast = now.advanced(bySeconds: 1)
  }

  var next: HostTime { min(nextHello, min(nextBroadcast, nextKnock)) }

  var foundsAt: HostTime { start.advanced(bySeconds: listening) }

  mutating func found(now: HostTime) { hasFound = true }

  /// Notes a hello to all; the first three come quickly, since a newcomer's multicast is lost easily.
  mutating func saidHello(at now: HostTime, interval: Double) {
    hellos += 1
    nextHello = now.advanced(bySeconds: hellos == 1 ? 0.12 : hellos == 2 ? 0.25 : interval)
  }
}

extension SessionCore {
  /// Seconds between hellos to all: one, and more where members are so many that they would fill the air.
  var roomInterval: Double { Self.helloInterval(among: members.count) }

  static func helloInterval(among others: Int) -> Double { max(1, Double(others + 1) / 40) }

  /// The same for this member: who keeps the clock or conducts is missed at once.
  var helloInterval: Double { isKeeper || state.conductor == me ? 1 : roomInterval }

  /// - Parameters:
  ///   - endpoint: where it goes; nil for all who hear it.
  ///   - echo: the number that has to be returned there.
  mutating func hello(
    _ rung: Rung, wantsAnswer: Bool, to endpoint: SessionEndpoint?, echo: Int64 = 0, now: HostTime
  ) -> SessionMessage {
    let holding = silence.holding.flatMap { $0.isOwn ? nil : $0 }
    return .hello(
      SessionMessage.Hello(
        room: settings.room, identity: settings.identity, rung: rung, wantsAnswer: wantsAnswer,
        isHidden: settings.isHidden, said: now, brief: brief, report: report(at: now),
        token: endpoint.map { path.token(for: $0) } ?? path.call(at: now), echo: echo,
        digest: sharing.store.digest, activity: activity.mine ?? 0, plays: settings.plays,
        others: othersToTell(to: endpoint, at: now), silence: holding?.number ?? 0,
        silencer: holding?.caller ?? .nobody, replaced: settings.replaced))
  }

  /// Some of the members that were heard lately, each in its turn: who does not hear them all finds them by that.
  private mutating func othersToTell(to hearer: SessionEndpoint?, at now: HostTime) -> [MemberPlace] {
    let here = members.keys.filter { id in members[id].map { isHere($0, at: now) } ?? false }.sorted()
    let first = here.firstIndex { $0 >= nextTold } ?? 0
    let told = (here[first...] + here[..<first]).prefix(MemberPlace.most)
    nextTold = told.last.map { MemberID($0.bits &+ 1) } ?? .nobody
    return told.map { id in MemberPlace(member: id, endpoint: members[id]?.ways.place(for: hearer)) }
  }

  /// Looks for members of which a member has told.
  mutating func take(_ others: [MemberPlace], from teller: SessionEndpoint, now: HostTime) {
    for place in others where isMissing(place.member) {
      absentees.hear(place.member, at: now)
      guard let endpoint = place.endpoint?.told(by: teller), endpoint.isNear(teller) else { continue }
      hints.hear(
        MemberHint(member: place.member, room: settings.listedRoom ?? settings.room, endpoint: endpoint),
        now: now)
    }
  }

  /// Whether the call that is due goes by IPv6, too, where IPv4 has it already.
  ///
  /// Air time is dear: those who have both need it now and then only, so that they can change over.
  private func callsByIPv6(at now: HostTime) -> Bool {
    discovery.hellos < 3 || discovery.hellos % 3 == 0 || members.isEmpty
      // If IPv4 has failed, they are heard by IPv6 before they are held to be gone.
      || members.values.contains { $0.ways.isIPv6Only || !isHere($0, at: now) }
  }

  mutating func discover(at now: HostTime) {
    let isAlone = members.isEmpty
    if now >= discovery.nextHello {
      if isKeeper, let base { pulses.beat(base, standing(at: now), at: now) }
      let call = hello(.multicast, wantsAnswer: isAlone, to: nil, now: now).encoded()
      outgoing.append(Outgoing(destination: .multicast, datagram: call))
      if callsByIPv6(at: now) { outgoing.append(Outgoing(destination: .multicastIPv6, datagram: call)) }
      discovery.saidHello(at: now, interval: helloInterval)
    }
    if now >= discovery.nextBroadcast {
      if isAlone {
        let call = hello(.broadcast, wantsAnswer: true, to: nil, now: now)
        outgoing.append(Outgoing(destination: .broadcast, datagram: call.encoded()))
      }
      discovery.nextBroadcast = now.advanced(bySeconds: 3)
    }
    if now >= discovery.nextKnock {
      let known = discovery.typed.isEmpty ? [] : Set(members.values.flatMap(\.ways.endpoints))
      for endpoint in discovery.typed where !known.contains(endpoint) {
        knock(at: endpoint, by: .typed, now: now)
      }
      if isAlone {
        for endpoint in discovery.remembered {
          knock(at: endpoint, by: .remembered, now: now)
        }
      }
      discovery.nextKnock = now.advanced(bySeconds: 2)
    }
    if base == nil, now >= discovery.foundsAt { foundIfFirst(at: now) }
  }

  /// Looks for members at these addresses from now on, in place of those that were typed before.
  ///
  /// - Returns: whether a member is at one of them.
  package mutating func setTyped(_ endpoints: [SessionEndpoint]) -> Bool {
    discovery.typed = endpoints
    return members.values.contains { $0.ways.endpoints.contains(where: endpoints.contains) }
  }

  /// Looks whether a member is at an address: in as few bytes as can be, since nothing may be there.
  package mutating func knock(at endpoint: SessionEndpoint, by rung: Rung, now: HostTime) {
    prove(to: endpoint, echo: 0, rung: rung)
  }
}
