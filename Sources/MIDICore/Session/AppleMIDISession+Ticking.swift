import MoCore

extension AppleMIDISession {
  private static let mostInvitations = 12
  /// Clock comparisons: six in quick succession after the join, then slower.
  private static let quickComparisons = 6
  private static let quickSeconds = 1.5
  private static let slowSeconds = 10.0
  /// The interval of invitations to a peer that became silent, repeated without end.
  private static let returnSeconds = 3.0
  /// Unanswered comparisons after which a peer counts as lost.
  private static let mostMissed = 3

  /// The time of the next necessary `tick`, if no datagram arrives before.
  public var nextTick: HostTime {
    peers.reduce(.distantFuture) { earliest, peer in
      guard peer.stage == .joined else { return min(earliest, peer.next) }
      var time = min(earliest, peer.isInviter ? peer.next : peer.lastHeard.advanced(bySeconds: Self.silence))
      if let wait = guardWait(peer, at: peer.lastTick) {
        time = min(time, peer.lastTick.advanced(bySeconds: wait))
      }
      if peer.receiver.newest != peer.confirmed {
        time = min(
          time, peer.confirmedAt == .distantPast ? peer.lastTick : peer.confirmedAt.advanced(bySeconds: 1))
      }
      return time
    }
  }

  /// Returns the seconds until a guard packet is due, at least 0; nil for none.
  private func guardWait(_ peer: AppleMIDIPeer, at now: HostTime) -> Double? {
    peer.sender.guardTime.map { max(0, Double(Int32(bitPattern: $0 &- peer.stamp(at: now)))) * 1e-4 }
  }

  /// Sends due invitations, clock comparisons, confirmations and guard packets; removes silent peers.
  public mutating func tick(at now: HostTime) {
    for index in peers.indices.reversed() {
      peers[index].lastTick = now
      switch peers[index].stage {
      case .joined: tickJoined(index, at: now)
      case .invitingControl, .invitingData:
        if peers[index].next <= now { invite(index, at: now) }
      case .awaitingData, .awaitingClock:
        if peers[index].next <= now { peers.remove(at: index) }
      }
    }
  }

  private mutating func invite(_ index: Int, at now: HostTime) {
    guard peers[index].isReturning || peers[index].tries < Self.mostInvitations else {
      tell(.unanswered(peers.remove(at: index).control))
      return
    }
    peers[index].tries += 1
    peers[index].next = now.advanced(bySeconds: peers[index].isReturning ? Self.returnSeconds : 1)
    let isControl = peers[index].stage == .invitingControl
    let command = AppleMIDICommand.invitation(token: peers[index].token, source: source, name: name)
    send(
      command, to: isControl ? peers[index].control : peers[index].data, from: isControl ? .control : .data)
  }

  private mutating func tickJoined(_ index: Int, at now: HostTime) {
    if now.seconds(since: peers[index].lastHeard) >= Self.silence || peers[index].missed >= Self.mostMissed {
      let peer = peers[index]
      send(.bye(token: peer.token, source: source), to: peer.control, from: .control)
      drop(index, isSilent: true, at: now)
      // It is invited again, as it may return.
      if peer.isInviter { reinvite(peer.control, at: now) }
      return
    }
    if peers[index].isInviter, peers[index].next <= now { compare(index, at: now) }
    if guardWait(peers[index], at: now) == 0 { flush(index, at: now) }
    let newest = peers[index].receiver.newest
    let isDue =
      peers[index].confirmedAt == .distantPast || now.seconds(since: peers[index].confirmedAt) >= 1
    if let newest, newest != peers[index].confirmed, isDue {
      (peers[index].confirmed, peers[index].confirmedAt) = (newest, now)
      send(.feedback(source: source, number: newest), to: peers[index].control, from: .control)
    }
  }

  private mutating func reinvite(_ control: MIDIEndpoint, at now: HostTime) {
    var peer = makePeer(
      .invitingControl, token: UInt32(truncatingIfNeeded: randomWord()), source: 0, control: control, at: now)
    (peer.next, peer.isReturning) = (now, true)
    peers.append(peer)
  }

  private mutating func compare(_ index: Int, at now: HostTime) {
    if peers[index].sentTime != nil { peers[index].missed += 1 }
    guard peers[index].missed < Self.mostMissed else { return tickJoined(index, at: now) }
    let ticks = peers[index].ticks(at: now)
    peers[index].sentTime = ticks
    peers[index].tries += 1
    let isQuick = peers[index].tries <= Self.quickComparisons || peers[index].missed > 0
    peers[index].next = now.advanced(bySeconds: isQuick ? Self.quickSeconds : Self.slowSeconds)
    send(
      .clock(source: source, count: 0, AppleMIDICommand.InlineTimes(first: ticks)), to: peers[index].data,
      from: .data)
  }
}
