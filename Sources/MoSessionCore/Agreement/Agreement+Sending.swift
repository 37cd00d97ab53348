import MoCore

extension Agreement {
  /// Returns the message for a state; nil if the members of this room sign states, and this state has no signature.
  func message(telling state: SessionState, _ room: RoomView) -> SessionMessage? {
    guard room.roster.settings.signer != nil else { return .state(from: room.me, state) }
    return state.signature.map { .signed(from: room.me, $0) }
  }

  // MARK: signed states

  /// Returns whether this member already has a signed state, so that its signature need not be verified again.
  ///
  /// If it is the state of the separate part, this member also processes the state again. Our own rhythm may have
  /// stopped meanwhile, so that this member now adopts the state.
  mutating func knows(
    _ message: SignedMessage, of id: MemberID, _ room: RoomView, _ out: inout Effects
  ) -> Bool {
    // A known state is sent again and again, and need not be checked.
    if message == state.signature { return true }
    if message == foreign?.signature {
      markForeignReported(room)
      return true
    }
    guard let theirs = separatePart?.state, message == theirs.signature else { return false }
    receive(theirs, from: id, room, &out)
    return true
  }

  /// Processes a state whose signature has been verified.
  ///
  /// - Parameter signer: the installation that signed the state.
  mutating func receive(
    _ new: SessionState, _ message: SignedMessage, by signer: MemberID, from id: MemberID, _ room: RoomView,
    _ out: inout Effects
  ) {
    if signer != new.holderInstallation {
      guard new.version.isHanded else {
        out.counts.forged += 1
        return
      }
      // A part of the room that joined ours sends our own state back to us, with a higher version.
      let isOurs = new.version.holder == state.version.holder && new.isSame(as: state)
      // An installation may hand over the baton if it held it, or may write.
      guard isOurs || signer == state.holderInstallation || mayWrite(signer, room) else {
        // Its writer may have had the right to conduct before this member's last change, which it has not received.
        let isNear = new.version.isPlausible(after: max(highestEpoch, 1), within: UInt64(StateAncestor.most))
        if isNear, overridesOvertaking(new, room, &out) { return }
        // The sender's version may be higher, so that no other member sends it the valid state.
        if isNear, state.relation(of: new) == .diverging {
          recordDivergingState(new, room, &out)
          sendState(to: id, most: 1, room, &out)
        }
        out.counts.gated += 1
        return
      }
    }
    var new = new
    new.signature = message
    receive(new, from: id, room, &out)
  }

  // MARK: members that lack the state

  /// Sends our state to a member whose own state does not replace ours, at most `most` times a second.
  mutating func sendState(to id: MemberID, most: Int, _ room: RoomView, _ out: inout Effects) {
    guard state.version != .none, let endpoint = room.members[id]?.endpoint,
      reminders[id, default: RateLimit()].allows(at: room.now, most: most),
      let message = message(telling: state, room)
    else { return }
    out.send(message, to: endpoint)
  }

  /// Sends our state to a member of another part that measures our clock to join us.
  ///
  /// Versions of two parts are not comparable: the member may lack our state although its own version is higher.
  mutating func sendStateToPart(of id: MemberID, _ room: RoomView, _ out: inout Effects) {
    guard let theirs = room.members[id]?.summary.base, theirs.lineage != room.clock.base?.lineage else {
      return
    }
    sendState(to: id, most: 2, room, &out)
  }

  /// Restarts the schedule of sends of our state to a member, if the version of the member's own state has changed.
  ///
  /// The member may be about to send us its new state, so that our next send must wait again.
  ///
  /// - Parameter isOther: whether the version that the member reports differs from the version that it reported before.
  mutating func restartPush(of id: MemberID, isOther: Bool) {
    if isOther, pushes[id] != nil { pushes[id] = StatePush() }
  }

  /// Extends the time until which the separate part is remembered, if `version` is the version of that part's state.
  ///
  /// - Parameter version: the version of a member's state, as the member reports it.
  mutating func renewSeparatePartIfMatching(_ version: StateVersion, at now: HostTime) {
    if version == separatePart?.state?.version { renewSeparatePart(at: now) }
  }

  /// Starts or ends the sends of our state to a member, depending on whether the member lacks the state.
  mutating func updatePush(of id: MemberID, _ room: RoomView) {
    guard let version = room.members[id]?.summary.version else { return }
    if version >= state.version {
      pushes[id] = nil
    } else if pushes[id]?.since == nil {
      let next = room.now.advanced(bySeconds: pushDelay(room))
      pushes[id, default: StatePush()].since = room.now
      pushes[id]?.next = next
      nextPush = min(nextPush, next)
    }
  }

  /// Starts the sends of our state to newly found members that lack the state.
  mutating func startPushes(_ room: RoomView) {
    for (id, member) in room.members where pushes[id]?.since == nil && member.summary.version < state.version
    {
      updatePush(of: id, room)
    }
  }

  /// Returns the delay in seconds before this member sends its state to a member that lacks it.
  ///
  /// The holder sends the state immediately, and the keeper soon after. Any other member first waits for the next hello
  /// of the member that lacks the state. Otherwise all members would send the state at the same time.
  private func pushDelay(_ room: RoomView) -> Double {
    if state.version.holder == room.me || state.version == handed { return 0 }
    if room.clock.isKeeper { return room.isHere(state.version.holder) ? 0.3 : 0 }
    return 1.25 * room.roster.helloInterval
  }

  /// Sends the state to members that lack it.
  mutating func push(_ room: RoomView, _ out: inout Effects) {
    guard room.now >= nextPush else { return }
    var due: [(id: MemberID, endpoint: SessionEndpoint)] = []
    nextPush = .distantFuture
    for index in pushes.indices {
      guard let member = room.members[pushes.keys[index]] else { continue }
      if room.now >= pushes.values[index].next {
        let isApart = member.summary.version == separatePart?.state?.version
        pushes.values[index].sent(
          at: room.now, most: isApart ? StatePush.pauseApart : StatePush.longestPause)
        due.append((pushes.keys[index], member.endpoint))
      }
      nextPush = min(nextPush, pushes.values[index].next)
    }
    guard !due.isEmpty, let datagram = message(telling: state, room)?.encoded() else { return }
    for member in due.sorted(by: { $0.id < $1.id }) { out.send(datagram, to: .one(member.endpoint)) }
  }
}

/// The schedule of sending the newest state to a member that lacks it.
package struct StatePush: Hashable, Sendable {
  /// The time since which the member lacks the state; nil while the member has the state.
  var since: HostTime?
  var next = HostTime.distantPast
  var pause = firstPause

  /// The pause between the first two sends to a member, in seconds; each later pause is twice as long, up to
  /// `longestPause`.
  ///
  /// 60 ms is longer than most round trips on bad Wi-Fi.
  static let firstPause = 0.06
  /// The longest pause between two sends to a member, in seconds.
  ///
  /// A send every two seconds is a tolerable cost for a member that is gone or refuses the state.
  static let longestPause = 2.0
  /// The longest pause between two sends to a member of a separate part, in seconds.
  static let pauseApart = 8.0

  /// Schedules the next send after the state was sent, and doubles the pause, up to `most` seconds.
  mutating func sent(at now: HostTime, most: Double) {
    next = now.advanced(bySeconds: pause)
    pause = min(pause * 2, most)
  }
}
