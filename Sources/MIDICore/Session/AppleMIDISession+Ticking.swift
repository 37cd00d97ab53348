import MoCore

extension AppleMIDISession {
  /// The seconds from a clock comparison to the next: `answered` if the peer answered, `unanswered` if it did not.
  ///
  /// Apple allows intervals up to 60 s. MoMu uses short intervals, so that it soon notices a lost peer.
  static let comparisonSeconds = (answered: 2.0, unanswered: 1.0)
  /// The shortest time between two confirmations to a peer, in seconds.
  ///
  /// The peer's packets contain all changes that are not confirmed. If they are long, MoMu confirms them sooner.
  static let confirmationSeconds = (usual: 1.0, long: 0.1)
  /// The length above which a packet is long, in bytes: longer packets may not fit a network frame.
  static let longPacket = 1200
  /// The number of invitations without an answer after which the session reports that the peer does not answer.
  private static let mostInvitations = 3
  /// The seconds between two invitations to the same peer: `first` for the first three invitations, `later` after them.
  private static let invitationSeconds = (first: 1.0, later: 2.0)
  /// The seconds after which this end again invites a peer that left.
  static let recallSeconds = 2.0
  /// The seconds after which this end again invites a peer that refused an invitation.
  static let refusalSeconds = 10.0

  /// The time at which the owner must call `tick` next; each received datagram may change this time.
  public var nextTick: HostTime {
    var next = HostTime.distantFuture
    for call in calls where !hasPeer(call.control) { next = min(next, call.next) }
    for index in peers.indices { next = min(next, nextTick(of: index)) }
    return next
  }

  private func nextTick(of index: Int) -> HostTime {
    guard peers[index].stage == .joined else { return peers[index].next }
    let lastTick = peers[index].lastTick
    var time = peers[index].lastHeard.advanced(bySeconds: peers[index].silence)
    if peers[index].isInviter { time = min(time, peers[index].next) }
    if let wait = guardWait(index, at: lastTick) { time = min(time, lastTick.advanced(bySeconds: wait)) }
    if peers[index].receiver.newest != peers[index].confirmed {
      let confirmedAt = peers[index].confirmedAt
      time = min(
        time,
        confirmedAt == .distantPast ? lastTick : confirmedAt.advanced(bySeconds: confirmationWait(index)))
    }
    return time
  }

  private func confirmationWait(_ index: Int) -> Double {
    peers[index].hasLongJournal ? Self.confirmationSeconds.long : Self.confirmationSeconds.usual
  }

  private func hasPeer(_ control: MIDIEndpoint) -> Bool { peers.contains { $0.control == control } }

  /// Returns the seconds from `now` until a guard packet to a peer is due, at least 0; nil if no guard packet is
  /// needed.
  private func guardWait(_ index: Int, at now: HostTime) -> Double? {
    peers[index].sender.guardTime.map {
      max(0, Double(Int32(bitPattern: $0 &- peers[index].stamp(at: now))) * 1e-4)
    }
  }

  /// Sends the datagrams that are due, such as invitations, clock comparisons and confirmations, and removes silent
  /// peers.
  ///
  /// The call also sends guard packets, by which a peer notices that the packets before a guard packet were lost.
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
    for index in calls.indices where calls[index].next <= now && !hasPeer(calls[index].control) {
      let call = calls[index]
      guard peers.count < Self.mostPeers else {
        calls[index].next = now.advanced(bySeconds: Self.recallSeconds)
        continue
      }
      peers.append(
        makePeer(
          .invitingControl, token: UInt32(truncatingIfNeeded: randomWord()), source: 0, control: call.control,
          at: now))
      invite(peers.count - 1, at: now)
    }
  }

  private mutating func invite(_ index: Int, at now: HostTime) {
    if peers[index].tries == Self.mostInvitations {
      // An answer on the control port alone does not help: begin again.
      let control = peers[index].control
      peers[index] = makePeer(
        .invitingControl, token: UInt32(truncatingIfNeeded: randomWord()), source: 0, control: control,
        at: now)
      peers[index].tries = Self.mostInvitations
      var isNew = false
      changeCall(control) { call in
        isNew = !call.hasToldSilence
        call.hasToldSilence = true
      }
      if isNew { addEvent(.unanswered(control)) }
    }
    peers[index].tries += 1
    let isEarly = peers[index].tries <= Self.mostInvitations
    peers[index].next = now.advanced(
      bySeconds: isEarly ? Self.invitationSeconds.first : Self.invitationSeconds.later)
    let isControl = peers[index].stage == .invitingControl
    let command = AppleMIDICommand.invitation(token: peers[index].token, source: source, name: name)
    send(
      command, to: isControl ? peers[index].control : peers[index].data, from: isControl ? .control : .data)
  }

  private mutating func tickJoined(_ index: Int, at now: HostTime) {
    if now.seconds(since: peers[index].lastHeard) >= peers[index].silence {
      send(
        .bye(token: peers[index].token, source: source), to: peers[index].control, from: .control)
      // A called peer is called again, as it may return.
      drop(index, isSilent: true, at: now)
      return
    }
    if peers[index].isInviter, peers[index].next <= now { compare(index, at: now) }
    if guardWait(index, at: now) == 0 { flush(index, at: now) }
    let newest = peers[index].receiver.newest
    let isDue =
      peers[index].confirmedAt == .distantPast
      || now.seconds(since: peers[index].confirmedAt) >= confirmationWait(index)
    if let newest, newest != peers[index].confirmed, isDue {
      (peers[index].confirmed, peers[index].confirmedAt) = (newest, now)
      send(.feedback(source: source, number: newest), to: peers[index].control, from: .control)
    }
  }

  private mutating func compare(_ index: Int, at now: HostTime) {
    let ticks = peers[index].ticks(at: now)
    peers[index].sentTime = ticks
    peers[index].next = now.advanced(bySeconds: Self.comparisonSeconds.unanswered)
    send(
      .clock(source: source, count: 0, AppleMIDICommand.InlineTimes(first: ticks)), to: peers[index].data,
      from: .data)
  }
}
