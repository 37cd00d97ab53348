import MoCore

extension AppleMIDISession {
  /// Processes a datagram.
  ///
  /// - Parameters:
  ///   - bytes: the datagram.
  ///   - from: the sender's address.
  ///   - port: the local port that received the datagram.
  ///   - now: the time at which the datagram arrived.
  public mutating func receive(
    _ bytes: Span<UInt8>, from: MIDIEndpoint, on port: Port, at now: HostTime
  ) {
    guard let command = AppleMIDICommand(bytes) else {
      return receiveMIDI(bytes, from: from, on: port, at: now)
    }
    switch command {
    case .invitation(let token, let source, let name):
      let isAccepted =
        port == .control
        ? accept(token, source, name, from, at: now) : acceptData(token, source, from, at: now)
      answer(isAccepted, token, to: from, on: port, room: 2 * bytes.count)
    case .acceptance(let token, let source, let name):
      accepted(token, source, name, from, on: port, at: now)
    case .refusal(let token, _):
      guard let index = inviting(token, from) else { return }
      refused(peers.remove(at: index).control, at: now)
    case .bye(let token, let source):
      guard let index = peer(source, from, { _ in true }) ?? forgetful(token, from) else { return }
      drop(index, isSilent: false, at: now)
    case .clock(let source, let count, let times):
      let isInviter = count == 1
      let index =
        peer(source, from) { $0.data == from && $0.isInviter == isInviter }
        ?? peer(source, from) { $0.data == from }
      guard port == .data else { return }
      if let index {
        clock(index, count, times, at: now)
      } else if count == 0, !peers.contains(where: { $0.data == from }) {
        // We were restarted, or have given the peer up: it need not wait until it notices. The time that it sent, which
        // others cannot guess, is the token.
        send(
          .bye(token: UInt32(truncatingIfNeeded: times.first), source: self.source), to: from, from: .data)
      }
    case .feedback(let source, let number):
      guard let index = peer(source, from, { $0.stage == .joined }) else { return }
      peers[index].lastHeard = now
      peers[index].sender.confirm(number)
    case .limit: break
    }
  }

  /// Returns the index of a peer with the SSRC `source` on the host of `from`, if `isWanted` returns true for this
  /// peer; nil for none.
  ///
  /// If this end and a peer invite each other, the peer briefly has two entries, and `isWanted` chooses an entry.
  private func peer(_ source: UInt32, _ from: MIDIEndpoint, _ isWanted: (AppleMIDIPeer) -> Bool) -> Int? {
    peers.firstIndex {
      ($0.source == source || source != 0 && $0.controlSource == source) && $0.control.isSameHost(as: from)
        && $0.stage != .invitingControl && isWanted($0)
    }
  }

  /// Returns the index of the peer on the host of `from` that this end has invited with the token `token`, and that has
  /// not joined yet; nil for none.
  private func inviting(_ token: UInt32, _ from: MIDIEndpoint) -> Int? {
    peers.firstIndex {
      $0.isInviter && $0.stage != .joined && $0.token == token && $0.control.isSameHost(as: from)
    }
  }

  /// Returns the index of a joined peer that has sent `BY` because the peer does not know this end any more; nil for
  /// none.
  ///
  /// The token of such a `BY` is the time, cut to 32 bits, that this end sent to the peer in the last clock comparison.
  private func forgetful(_ token: UInt32, _ from: MIDIEndpoint) -> Int? {
    peers.firstIndex {
      $0.stage == .joined && $0.isInviter && $0.data == from
        && $0.sentTime.map { UInt32(truncatingIfNeeded: $0) } == token
    }
  }

  private mutating func refused(_ control: MIDIEndpoint, at now: HostTime) {
    var isNew = false
    changeCall(control) { call in
      isNew = !call.hasToldRefusal
      call.hasToldRefusal = true
      call.next = now.advanced(bySeconds: Self.refusalSeconds)
    }
    if isNew { addEvent(.refused(control)) }
  }

  private mutating func answer(
    _ isAccepted: Bool, _ token: UInt32, to: MIDIEndpoint, on port: Port, room: Int
  ) {
    guard isAccepted else { return send(.refusal(token: token, source: source), to: to, from: port) }
    // An answer is at most twice as long as the request.
    let name = Array(name.prefix(max(0, room - 17)))
    send(.acceptance(token: token, source: source, name: name), to: to, from: port)
  }

  private mutating func accept(
    _ token: UInt32, _ source: UInt32, _ name: [UInt8], _ from: MIDIEndpoint, at now: HostTime
  ) -> Bool {
    guard source != self.source, acceptsInvitations || calls.contains(where: { $0.control == from }) else {
      return false
    }
    if let index = peers.firstIndex(where: { $0.source == source && !$0.isInviter }) {
      let isJoined = peers[index].stage == .joined
      // Until `repeatSeconds` after the join, the same invitation means that our answer was lost. Later, the same
      // invitation comes from a board whose random numbers are the same after each restart.
      if peers[index].token == token, peers[index].control == from,
        !isJoined || now.seconds(since: peers[index].joinedAt) < Self.repeatSeconds
      {
        return true
      }
      // A peer in play is displaced only by its own host, on which the program was restarted.
      guard peers[index].control.isSameHost(as: from) || !isJoined else {
        if !peers[index].hasReportedDuplicate { addEvent(.duplicateID(from, of: source)) }
        peers[index].hasReportedDuplicate = true
        return false
      }
      drop(index, isSilent: false, at: now)
    }
    makeRoom(for: from)
    guard peers.count < Self.mostPeers else { return false }
    var peer = makePeer(.awaitingData, token: token, source: source, control: from, at: now)
    peer.name = text(name)
    peers.append(peer)
    return true
  }

  /// Makes space for a new invitation from the address `from`: removes an old unfinished invitation if there are too
  /// many.
  ///
  /// If the host of `from` has two unfinished invitations, the older of them is removed. Otherwise, if all hosts
  /// together have eight, the oldest is removed. So forged invitations do not exclude other peers.
  ///
  /// - Parameter from: the address of a new invitation, whose host is examined.
  private mutating func makeRoom(for from: MIDIEndpoint) {
    let pending = peers.indices.filter { peers[$0].stage != .joined && !peers[$0].isInviter }
    let own = pending.filter { peers[$0].control.isSameHost(as: from) }
    let crowd = own.count >= Self.mostPendingOfOne ? own : pending.count >= Self.mostPending ? pending : []
    if let oldest = crowd.min(by: { peers[$0].lastHeard < peers[$1].lastHeard }) { peers.remove(at: oldest) }
  }

  private mutating func acceptData(
    _ token: UInt32, _ source: UInt32, _ from: MIDIEndpoint, at now: HostTime
  ) -> Bool {
    guard let index = peer(source, from, { $0.token == token && !$0.isInviter }) else { return false }
    if peers[index].stage == .awaitingData {
      (peers[index].stage, peers[index].data) = (.awaitingClock, from)
    }
    return peers[index].data == from
  }

  private mutating func accepted(
    _ token: UInt32, _ source: UInt32, _ name: [UInt8], _ from: MIDIEndpoint, on port: Port, at now: HostTime
  ) {
    guard let index = inviting(token, from), source != self.source else { return }
    peers[index].lastHeard = now
    switch (peers[index].stage, port) {
    case (.invitingControl, .control):
      peers[index].source = source
      peers[index].name = text(name)
      peers[index].receiver = RTPMIDIReceiver(source: source)
      (peers[index].stage, peers[index].tries, peers[index].next) = (.invitingData, 0, now)
      tick(at: now)
    case (.invitingData, .data):
      if source != peers[index].source {
        (peers[index].controlSource, peers[index].source) = (peers[index].source, source)
        peers[index].receiver = RTPMIDIReceiver(source: source)
      }
      peers[index].data = from
      peers[index].tries = 0
      join(index, at: now)
      tick(at: now)
    default: break
    }
  }

  /// Marks a peer as joined; if another joined entry has the same SSRC, removes the older entry or the new entry.
  ///
  /// If both ends invited each other, the entry stays in which the end with the higher SSRC is the inviter. Otherwise
  /// the new entry stays.
  private mutating func join(_ index: Int, at now: HostTime) {
    let (source, control) = (peers[index].source, peers[index].control)
    (peers[index].stage, peers[index].joinedAt, peers[index].next) = (.joined, now, now)
    if let other = peers.indices.first(where: { $0 != index && peers[$0].source == source }) {
      // If two peers invited each other, both ends treat the one with the higher SSRC as the inviter.
      let isKept = peers[index].isInviter == (self.source > source)
      if peers[other].isInviter != peers[index].isInviter, peers[other].stage == .joined, !isKept {
        changeCall(control) { $0.next = now.advanced(bySeconds: Self.refusalSeconds) }
        peers.remove(at: index)
        return
      }
      if peers[other].stage == .joined { drop(other, isSilent: false, at: now) }
    }
    guard let peer = peers.first(where: { $0.source == source }) else { return }
    addEvent(.joined(peer: source, name: peer.name, control))
  }

  private mutating func clock(
    _ index: Int, _ count: UInt8, _ times: AppleMIDICommand.InlineTimes, at now: HostTime
  ) {
    var times = times
    let ticks = peers[index].ticks(at: now)
    let to = peers[index].data
    switch count {
    case 0:
      (times.second, times.third) = (ticks, 0)
      if !peers[index].isInviter {
        peers[index].sentTime = ticks
        peers[index].noteComparison(at: now)
      }
      send(.clock(source: source, count: 1, times), to: to, from: .data)
    case 1 where peers[index].isInviter && peers[index].sentTime == times.first:
      peers[index].sentTime = nil
      peers[index].next = now.advanced(bySeconds: Self.comparisonSeconds.answered)
      let roundTrip = ticks &- times.first
      peers[index].compare(offset: times.first &+ roundTrip / 2 &- times.second, roundTrip: roundTrip)
      times.third = ticks
      send(.clock(source: source, count: 2, times), to: to, from: .data)
    case 2 where !peers[index].isInviter && peers[index].sentTime == times.second:
      peers[index].sentTime = nil
      let roundTrip = times.third &- times.first
      peers[index].compare(offset: times.second &- (times.first &+ roundTrip / 2), roundTrip: roundTrip)
      if peers[index].stage == .awaitingClock { join(index, at: now) }
    default: return
    }
    // The join may have removed an earlier peer.
    if let index = peers.firstIndex(where: { $0.data == to }) { peers[index].lastHeard = now }
  }

  private mutating func receiveMIDI(_ bytes: Span<UInt8>, from: MIDIEndpoint, on port: Port, at now: HostTime)
  {
    guard port == .data, let packet = RTPMIDIPacket(bytes),
      let index = peer(packet.source, from, { $0.stage == .joined && $0.data == from })
    else { return }
    // The buffer is taken out meanwhile: the closure may not use `self`.
    var found: [RTPMIDIReceiver.Event] = []
    swap(&found, &self.found)
    if peers[index].receiver.receive(bytes, { found.append($0) }) {
      peers[index].lastHeard = now
      peers[index].hasLongJournal = bytes.count > Self.longPacket
    }
    let source = packet.source
    for event in found {
      switch event {
      case .message(let message, let time, let isRepair):
        let moment = peers[index].moment(of: time, now: now)
        addEvent(.received(peer: source, message, at: moment, isRepair: isRepair))
      case .sysEx(let bytes, let time):
        addEvent(.sysEx(peer: source, bytes, at: peers[index].moment(of: time, now: now)))
      }
    }
    found.removeAll(keepingCapacity: true)
    swap(&found, &self.found)
  }
}
