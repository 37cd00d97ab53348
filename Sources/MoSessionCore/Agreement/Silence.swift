import MoCore

/// A call for silence that holds: nothing sounds in the room until it is lifted.
///
/// Anybody may call. Each member tells it in its hellos, so that a member that was cut off obeys as soon as it is heard
/// again. Only the state says which call is over, so that only a member that may conduct can lift it.
struct SilenceCall: Hashable, Sendable {
  /// Counts the calls of this room's clock, round 2³²; the state's `endedSilence` is the last one that is over.
  var number: UInt32
  /// The member that called.
  var caller: MemberID
  /// When it was heard of here.
  var since: HostTime
  /// Whether it was called in a part of the room that this member has left: it then holds for this member alone.
  var isOwn = false

  /// How far apart two numbers can be in one room; a number farther away is no number of this room.
  private static let window = 4096

  /// Whether a call comes after another; numbers are counted round.
  static func isLater(_ number: UInt32, than other: UInt32) -> Bool {
    (1..<window).contains(Int(Int32(bitPattern: number &- other)))
  }
}

/// A member that did not confirm a call for silence.
public struct UnconfirmedMember: Hashable, Sendable {
  /// The member.
  public var member: MemberID
  /// The name under which it is or was shown; empty for a member that takes part without being shown.
  public var name: String
  /// Seconds since it was last heard.
  public var silentFor: Int32

  /// A member from its parts.
  public init(member: MemberID, name: String, silentFor: Int32) {
    (self.member, self.name, self.silentFor) = (member, name, silentFor)
  }

  /// Most that one confirmation names.
  static let most = 8
}

/// Calls for silence: the one that holds, this member's own, which is sent again until all have confirmed it, and the
/// others'.
struct Silence: Sendable {
  /// A call of this member that waits for confirmations.
  private struct Asking: Sendable {
    var number: Int32
    var waiting: Set<MemberID>
    /// Members that others know or knew, and that were not heard here.
    var told: [MemberID: UnconfirmedMember] = [:]
    var confirmed: Set<MemberID> = []
    var next: HostTime
    var end: HostTime
  }

  /// What is to be done at a moment.
  enum Due: Equatable {
    /// The call with this number is to be sent to these members.
    case send(number: Int32, to: [MemberID])
    /// The call has ended; these have not confirmed it, of which the second were never heard here.
    case ended(unconfirmed: [MemberID], told: [UnconfirmedMember])
  }

  /// The call that holds; nil while sound is allowed.
  var holding: SilenceCall?
  private var asking: Asking?
  /// The number of each member's last call.
  private var heard: [MemberID: Int32] = [:]
  /// Limits how often a member that plays into the silence is told of it.
  var tellings: [MemberID: RateLimit] = [:]
  /// Limits how often a confirmation to a member names others.
  var confirmations: [MemberID: RateLimit] = [:]

  /// Seconds from one sending of a call to the next.
  private static let interval = 0.05
  /// Seconds after which a call ends without confirmations.
  private static let timeout = 2.0
  /// Most members of which others may tell during a call.
  private static let mostTold = 64

  /// Whether this member's call waits for confirmations.
  var isCalling: Bool { asking != nil }

  /// When something is due.
  var next: HostTime { asking?.next ?? .distantFuture }

  /// Begins a call, in place of the one before.
  mutating func begin(_ number: Int32, among members: some Sequence<MemberID>, now: HostTime) {
    asking = Asking(
      number: number, waiting: Set(members), next: now, end: now.advanced(bySeconds: Self.timeout))
  }

  /// What is due now; nil for nothing.
  mutating func popDue(at now: HostTime) -> Due? {
    guard let asking else { return nil }
    // A member that only others know may still be found.
    if asking.waiting.isEmpty && asking.told.isEmpty || now >= asking.end {
      self.asking = nil
      let told = asking.told.values.sorted { ($0.name, $0.member) < ($1.name, $1.member) }
      return .ended(unconfirmed: asking.waiting.sorted(), told: told)
    }
    guard now >= asking.next else { return nil }
    self.asking?.next = now.advanced(bySeconds: Self.interval)
    return asking.waiting.isEmpty ? nil : .send(number: asking.number, to: asking.waiting.sorted())
  }

  /// Notes a member's confirmation.
  ///
  /// - Parameter told: members that it knows, or knew before they were gone without a word.
  mutating func confirmed(_ id: MemberID, number: Int32, told: [UnconfirmedMember]) {
    guard asking?.number == number else { return }
    asking?.waiting.remove(id)
    asking?.told[id] = nil
    asking?.confirmed.insert(id)
    for one in told where (asking?.told.count ?? 0) < Self.mostTold {
      guard asking?.waiting.contains(one.member) == false, asking?.confirmed.contains(one.member) == false
      else { continue }
      asking?.told[one.member] = one
    }
  }

  /// A member has come while this member calls: it is called, too.
  mutating func joined(_ id: MemberID) {
    guard asking != nil, asking?.confirmed.contains(id) == false else { return }
    asking?.told[id] = nil
    asking?.waiting.insert(id)
  }

  /// Notes another member's call; whether it is a new one.
  ///
  /// A number is compared with the one before alone, since anybody may forge a high one.
  mutating func receive(_ number: Int32, from id: MemberID) -> Bool {
    defer { heard[id] = number }
    return heard[id] != number
  }

  /// Forgets a member.
  ///
  /// - Parameter said: whether it said goodbye: who vanishes has not confirmed.
  mutating func forget(_ id: MemberID, said: Bool) {
    heard[id] = nil
    (tellings[id], confirmations[id]) = (nil, nil)
    if said { asking?.waiting.remove(id) }
  }

  /// The number of the call that holds in the whole room; nil for none.
  var inRoom: UInt32? { holding.flatMap { $0.isOwn ? nil : $0.number } }

  /// Lets a call hold here.
  mutating func hold(_ number: UInt32, by caller: MemberID, at now: HostTime, _ out: inout Effects) {
    holding = SilenceCall(number: number, caller: caller, since: holding?.since ?? now)
    out.event(.panic(from: caller))
    out.add(.notice(.panic(caller)))
  }

  /// Ends a call that a state ends, as it becomes the state here.
  ///
  /// - Parameter isFollowing: whether it follows the state before: a rhythm that another part started brings no sound back.
  mutating func lift(by new: SessionState, isFollowing: Bool, _ out: inout Effects) {
    guard let number = inRoom, !SilenceCall.isLater(number, than: new.endedSilence) else { return }
    if isFollowing { end(&out) } else { holding?.isOwn = true }
  }

  /// Keeps a call for this member alone, as it leaves the part of the room that it was called in.
  mutating func keepAlone() { holding?.isOwn = true }

  /// Ends the call that holds.
  mutating func end(_ out: inout Effects) {
    guard holding != nil else { return }
    holding = nil
    out.event(.panicLifted)
  }

  mutating func shift(by nanoseconds: Int64) {
    asking?.next.shift(by: nanoseconds)
    asking?.end.shift(by: nanoseconds)
    holding?.since.shift(by: nanoseconds)
    (tellings, confirmations) = ([:], [:])
  }
}

extension Agreement {
  /// A new member is here: it is called for silence, too.
  mutating func joined(_ id: MemberID) { silence.joined(id) }

  /// Takes in a member's confirmation of this member's call.
  mutating func receiveConfirmation(of number: Int32, from id: MemberID, _ told: [UnconfirmedMember]) {
    silence.confirmed(id, number: number, told: told)
  }

  /// Ends the silence of a member that has come from another part, as a rhythm is started in its new one.
  mutating func endOwnSilence(_ out: inout Effects) {
    if silence.holding?.isOwn == true { silence.end(&out) }
  }

  /// Confirmations a second that name other members.
  private static let mostConfirmations = 20

  /// Silences everybody until the next start of a rhythm; `panicEnded` names the members that have not confirmed it.
  mutating func callForSilence(_ room: RoomView, _ out: inout Effects) {
    let number = max(1, (silence.inRoom ?? state.endedSilence) &+ 1)
    silence.begin(Int32(bitPattern: number), among: room.members.keys, now: room.now)
    silence.hold(number, by: room.me, at: room.now, &out)
    // Its call to all tells those that it does not know.
    out.add(.callOut)
    repeatCall(room, &out)
  }

  /// Lets the room sound again, without starting a rhythm; a member that may conduct may.
  mutating func liftSilence(_ room: RoomView, _ out: inout Effects) throws(SessionRefusal) {
    guard silence.holding != nil else { return }
    if let number = silence.inRoom { try agree(room, &out) { $0.endedSilence = number } }
    silence.end(&out)
  }

  /// Takes in a member's call.
  mutating func receiveCall(
    _ number: Int32, from id: MemberID, at endpoint: SessionEndpoint, _ room: RoomView, _ out: inout Effects
  ) {
    let isNew = silence.receive(number, from: id)
    let isPaced = silence.confirmations[id, default: RateLimit()].allows(
      at: room.now, most: Self.mostConfirmations)
    let told = isPaced ? room.roster.leastHeard(for: id, at: room.now) : []
    out.send(.panicked(from: room.me, number: number, told: told), to: endpoint)
    // It is sent again until it is confirmed.
    guard isNew else { return }
    let number = UInt32(bitPattern: number)
    let last = silence.inRoom
    if SilenceCall.isLater(number, than: last ?? state.endedSilence) {
      return silence.hold(number, by: id, at: room.now, &out)
    }
    // A caller of this part that knows its state calls above what is over: this call was lifted on its way here.
    let isOver =
      last == nil && room.sharesClock(id) && room.members[id]?.brief.version != StateVersion.none
      && state.version != .none && SilenceCall.isLater(state.endedSilence &+ 1, than: number)
    guard !isOver else { return }
    silence.hold(last ?? max(1, state.endedSilence &+ 1), by: id, at: room.now, &out)
  }

  /// Takes in that a member knows of a call that holds; 0 for none.
  mutating func receiveSilence(
    _ number: UInt32, by caller: MemberID, from id: MemberID, _ room: RoomView, _ out: inout Effects
  ) {
    guard number != 0, room.clock.base != nil, room.sharesClock(id) else { return }
    if let holding = silence.inRoom {
      if SilenceCall.isLater(number, than: holding) { silence.holding?.number = number }
      return
    }
    // A newcomer does not know yet which calls are over.
    guard state.version == .none || SilenceCall.isLater(number, than: state.endedSilence) else { return }
    silence.hold(number, by: caller, at: room.now, &out)
  }

  /// Tells a member that plays into the silence, or is back, that a call holds.
  mutating func remindOfSilence(_ id: MemberID, _ room: RoomView, _ out: inout Effects) {
    guard silence.inRoom != nil, let endpoint = room.members[id]?.endpoint,
      silence.tellings[id, default: RateLimit()].allows(at: room.now, most: 2)
    else { return }
    out.add(.hello(HelloRequest(endpoint: endpoint)))
  }

  /// Sends this member's call again to members that have not confirmed it, and reports its end.
  mutating func repeatCall(_ room: RoomView, _ out: inout Effects) {
    switch silence.popDue(at: room.now) {
    case .send(let number, let receivers):
      for id in receivers {
        if let member = room.members[id] {
          out.send(.panic(from: room.me, number: number), to: member.endpoint)
        }
      }
    case .ended(let unconfirmed, let told): reportEnd(unconfirmed, told, room, &out)
    case nil: break
    }
  }

  private func reportEnd(
    _ unconfirmed: [MemberID], _ told: [UnconfirmedMember], _ room: RoomView, _ out: inout Effects
  ) {
    let (members, names) = (room.members, room.roster.names)
    var list = unconfirmed.map { id in
      let last = members[id].map { Int(max(0, room.now.seconds(since: $0.lastHeard))) } ?? 0
      let name = members[id]?.isHidden == true ? "" : names.name(of: id) ?? names.lastName(of: id) ?? ""
      return UnconfirmedMember(member: id, name: name, silentFor: Int32(clamping: last))
    }
    for one in told + names.vanished(at: room.now)
    where room.roster.isMissing(one.member) && !list.contains(where: { $0.member == one.member }) {
      // A member that has come back is not missed under its number of before.
      if members.values.contains(where: { !$0.isHidden && names.name(of: $0.identity.member) == one.name }) {
        continue
      }
      list.append(one)
    }
    out.event(.panicEnded(unconfirmed: list))
  }
}
