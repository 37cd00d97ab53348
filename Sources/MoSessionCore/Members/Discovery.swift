import MoTime

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

  func hello(_ rung: Rung, wantsAnswer: Bool, now: HostTime) -> SessionMessage {
    .hello(
      SessionMessage.Hello(
        room: settings.room, identity: settings.identity, rung: rung, wantsAnswer: wantsAnswer,
        isHidden: settings.isHidden, said: now, brief: brief, report: report(at: now),
        digest: sharing.store.digest, activity: activity.mine ?? 0, plays: settings.plays))
  }

  mutating func discover(at now: HostTime) {
    let isAlone = members.isEmpty
    if now >= discovery.nextHello {
      let isFirst = discovery.hellos < 3
      outgoing.append(
        Outgoing(
          destination: .multicast,
          datagram: hello(.multicast, wantsAnswer: isFirst || isAlone, now: now).encoded()))
      discovery.saidHello(at: now, interval: helloInterval)
    }
    if now >= discovery.nextBroadcast {
      if isAlone {
        outgoing.append(
          Outgoing(
            destination: .broadcast, datagram: hello(.broadcast, wantsAnswer: true, now: now).encoded()))
      }
      discovery.nextBroadcast = now.advanced(bySeconds: 3)
    }
    if now >= discovery.nextKnock {
      let known = discovery.typed.isEmpty ? [] : Set(members.values.map(\.endpoint))
      for endpoint in discovery.typed where !known.contains(endpoint) {
        send(hello(.typed, wantsAnswer: true, now: now), to: endpoint)
      }
      if isAlone {
        for endpoint in discovery.remembered {
          send(hello(.remembered, wantsAnswer: true, now: now), to: endpoint)
        }
      }
      discovery.nextKnock = now.advanced(bySeconds: 2)
    }
    if base == nil, now >= discovery.foundsAt { foundIfFirst(at: now) }
  }

  /// Says hello to somebody whom another way of finding has named.
  public mutating func knock(at endpoint: SessionEndpoint, by rung: Rung, now: HostTime) {
    send(hello(rung, wantsAnswer: true, now: now), to: endpoint)
  }
}
