import MoCore

/// The calls for silence that this member sends, receives and confirms.
extension Agreement {
  /// Adds a new member to the receivers of this member's call for silence.
  mutating func joined(_ id: MemberID) { silence.joined(id) }

  /// Processes a member's confirmation of this member's call.
  mutating func receiveConfirmation(of number: Int32, from id: MemberID, _ reported: [UnconfirmedMember]) {
    silence.confirmed(id, number: number, reported: reported)
  }

  /// Ends a silence that applies to this member alone, when a rhythm starts in this member's new part.
  mutating func endOwnSilence(_ out: inout Effects) {
    if silence.current?.isOwn == true { silence.end(&out) }
  }

  /// The largest number of confirmations to a caller, per second, that name other members.
  private static let mostConfirmations = 20

  /// Silences all members until the next start of a rhythm.
  ///
  /// Later, the event `panicEnded` names the members that have not confirmed the call.
  mutating func callForSilence(_ room: RoomView, _ out: inout Effects) {
    let number = max(1, (silence.inRoom ?? state.endedSilence) &+ 1)
    silence.begin(Int32(bitPattern: number), among: room.members.keys, now: room.now)
    silence.activate(number, by: room.me, at: room.now, &out)
    // The hello to all reaches the members that this one does not know.
    out.add(.requestHello)
    repeatCall(room, &out)
  }

  /// Ends the silence without starting a rhythm, if this member may conduct.
  mutating func liftSilence(_ room: RoomView, _ out: inout Effects) throws(SessionRefusal) {
    guard silence.current != nil else { return }
    if let number = silence.inRoom { try lead(room, &out) { $0.endedSilence = number } }
    silence.end(&out)
  }

  /// Processes a member's call for silence, and confirms it.
  mutating func receiveCall(
    _ number: Int32, from id: MemberID, at endpoint: SessionEndpoint, _ room: RoomView, _ out: inout Effects
  ) {
    let isNew = silence.receive(number, from: id)
    let isPaced = silence.confirmations[id, default: RateLimit()].allows(
      at: room.now, most: Self.mostConfirmations)
    let reported = isPaced ? room.roster.longestSilent(for: id, at: room.now) : []
    out.send(.panicked(from: room.me, number: number, reported: reported), to: endpoint)
    // The caller retransmits it until it is confirmed.
    guard isNew else { return }
    let number = UInt32(bitPattern: number)
    let last = silence.inRoom
    if SilenceCall.isLater(number, than: last ?? state.endedSilence) {
      return silence.activate(number, by: id, at: room.now, &out)
    }
    // A caller in this part that knows its state uses a number above the ended ones: this call was lifted under way.
    let isOver =
      last == nil && room.sharesClock(id) && room.members[id]?.summary.version != StateVersion.none
      && state.version != .none && SilenceCall.isLater(state.endedSilence &+ 1, than: number)
    guard !isOver else { return }
    silence.activate(last ?? max(1, state.endedSilence &+ 1), by: id, at: room.now, &out)
  }

  /// Processes the call for silence that a member's hello repeats; the number 0 means no call.
  mutating func receiveSilence(
    _ number: UInt32, by caller: MemberID, from id: MemberID, _ room: RoomView, _ out: inout Effects
  ) {
    guard number != 0, room.clock.base != nil, room.sharesClock(id) else { return }
    if let current = silence.inRoom {
      if SilenceCall.isLater(number, than: current) { silence.current?.number = number }
      return
    }
    // A newcomer does not know yet which calls are over.
    guard state.version == .none || SilenceCall.isLater(number, than: state.endedSilence) else { return }
    silence.activate(number, by: caller, at: room.now, &out)
  }

  /// Sends the present call for silence to a member that still plays, or has come back.
  mutating func remindOfSilence(_ id: MemberID, _ room: RoomView, _ out: inout Effects) {
    guard silence.inRoom != nil, let endpoint = room.members[id]?.endpoint,
      silence.reminders[id, default: RateLimit()].allows(at: room.now, most: 2)
    else { return }
    out.add(.hello(HelloRequest(endpoint: endpoint)))
  }

  /// Retransmits this member's call to members that have not confirmed it, or reports the end of the wait for them.
  mutating func repeatCall(_ room: RoomView, _ out: inout Effects) {
    switch silence.popDue(at: room.now) {
    case .send(let number, let receivers):
      for id in receivers {
        if let member = room.members[id] {
          out.send(.panic(from: room.me, number: number), to: member.endpoint)
        }
      }
    case .ended(let unconfirmed, let reported): reportEnd(unconfirmed, reported, room, &out)
    case nil: break
    }
  }

  private func reportEnd(
    _ unconfirmed: [MemberID], _ reported: [UnconfirmedMember], _ room: RoomView, _ out: inout Effects
  ) {
    let (members, names) = (room.members, room.roster.names)
    var list = unconfirmed.map { id in
      let last = members[id].map { Int(max(0, room.now.seconds(since: $0.lastHeard))) } ?? 0
      let name = members[id]?.isHidden == true ? "" : names.name(of: id) ?? names.lastName(of: id) ?? ""
      return UnconfirmedMember(member: id, name: name, silentFor: Int32(clamping: last))
    }
    for one in reported + names.vanished(at: room.now)
    where room.roster.isMissing(one.member) && !list.contains(where: { $0.member == one.member }) {
      // A member that has come back is not missing under its earlier ID.
      if members.values.contains(where: { !$0.isHidden && names.name(of: $0.identity.member) == one.name }) {
        continue
      }
      list.append(one)
    }
    out.event(.panicEnded(unconfirmed: list))
  }
}
