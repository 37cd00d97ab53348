import MoCore

/// Calls for silence: the call in force, this member's own call, and the other members' calls.
///
/// This member's own call is retransmitted until all members have confirmed it.
package struct Silence: Sendable {
  /// A call of this member that waits for confirmations.
  private struct UnconfirmedCall: Sendable {
    var number: Int32
    var waiting: Set<MemberID>
    /// The members that this member does not hear, and that other members named in their confirmations.
    var reported: [MemberID: UnconfirmedMember] = [:]
    var confirmed: Set<MemberID> = []
    var next: HostTime
    var end: HostTime
  }

  /// The work that is due.
  package enum Due: Equatable {
    /// Send the call with the given number to the given members.
    case send(number: Int32, to: [MemberID])
    /// Report the end of the wait for confirmations: the members in `unconfirmed` have not confirmed the call.
    ///
    /// The members in `reported` are not known here: other members named them in their confirmations.
    case ended(unconfirmed: [MemberID], reported: [UnconfirmedMember])
  }

  /// The call in force; nil while sound is allowed.
  package var current: SilenceCall?
  private var ownCall: UnconfirmedCall?
  /// The number of the last call for silence that each other member sent.
  private var lastNumbers: [MemberID: Int32] = [:]
  /// The rate limit of reminders to each member that plays during a silence.
  var reminders: [MemberID: RateLimit] = [:]
  /// The rate limit, for each caller, of confirmations that name other members.
  var confirmations: [MemberID: RateLimit] = [:]

  package init() {}

  /// Seconds between two transmissions of a call.
  private static let interval = 0.05
  /// The seconds after which this member no longer repeats its call, even if confirmations are missing.
  private static let timeout = 2.0
  /// The largest number of members in `UnconfirmedCall.reported`.
  private static let mostReported = 64

  /// Whether this member's call waits for confirmations.
  package var isCalling: Bool { ownCall != nil }

  /// The time at which this member's call is next retransmitted, or the wait for confirmations ends.
  ///
  /// The time is `.distantFuture` if no call waits for confirmations.
  package var next: HostTime { ownCall?.next ?? .distantFuture }

  /// Starts to send this member's call, in place of an earlier call of this member that still waits for confirmations.
  package mutating func begin(_ number: Int32, among members: some Sequence<MemberID>, now: HostTime) {
    ownCall = UnconfirmedCall(
      number: number, waiting: Set(members), next: now, end: now.advanced(bySeconds: Self.timeout))
  }

  /// Returns the work due now; nil for none.
  package mutating func popDue(at now: HostTime) -> Due? {
    guard let ownCall else { return nil }
    // A member that only others know may still be found.
    if ownCall.waiting.isEmpty && ownCall.reported.isEmpty || now >= ownCall.end {
      self.ownCall = nil
      let reported = ownCall.reported.values.sorted { ($0.name, $0.member) < ($1.name, $1.member) }
      return .ended(unconfirmed: ownCall.waiting.sorted(), reported: reported)
    }
    guard now >= ownCall.next else { return nil }
    self.ownCall?.next = now.advanced(bySeconds: Self.interval)
    return ownCall.waiting.isEmpty ? nil : .send(number: ownCall.number, to: ownCall.waiting.sorted())
  }

  /// Stores that a member has confirmed this member's call.
  ///
  /// - Parameter reported: members that the confirming member knows, or knew before they vanished.
  package mutating func confirmed(_ id: MemberID, number: Int32, reported: [UnconfirmedMember]) {
    guard ownCall?.number == number else { return }
    ownCall?.waiting.remove(id)
    ownCall?.reported[id] = nil
    ownCall?.confirmed.insert(id)
    for one in reported where (ownCall?.reported.count ?? 0) < Self.mostReported {
      guard ownCall?.waiting.contains(one.member) == false, ownCall?.confirmed.contains(one.member) == false
      else { continue }
      ownCall?.reported[one.member] = one
    }
  }

  /// Adds a member that has just joined to the receivers of this member's call.
  package mutating func joined(_ id: MemberID) {
    guard ownCall != nil, ownCall?.confirmed.contains(id) == false else { return }
    ownCall?.reported[id] = nil
    ownCall?.waiting.insert(id)
  }

  /// Stores the number of another member's call; returns whether the call is new.
  ///
  /// A call is new if its number differs from the number of the member's last call. The number need not be higher,
  /// since any program may forge a high number.
  package mutating func receive(_ number: Int32, from id: MemberID) -> Bool {
    defer { lastNumbers[id] = number }
    return lastNumbers[id] != number
  }

  /// Forgets a member.
  ///
  /// - Parameter withGoodbye: whether the member said goodbye. A member that vanished counts as a member that has not
  ///   confirmed.
  package mutating func forget(_ id: MemberID, withGoodbye: Bool) {
    lastNumbers[id] = nil
    (reminders[id], confirmations[id]) = (nil, nil)
    if withGoodbye { ownCall?.waiting.remove(id) }
  }

  /// The number of the call in force for the whole room; nil for none.
  var inRoom: UInt32? { current.flatMap { $0.isOwn ? nil : $0.number } }

  /// Puts a call into force here.
  mutating func activate(_ number: UInt32, by caller: MemberID, at now: HostTime, _ out: inout Effects) {
    current = SilenceCall(number: number, caller: caller, since: current?.since ?? now)
    out.event(.panic(from: caller))
    out.add(.notice(.panic(caller)))
  }

  /// Ends the call in force if the state `new` says that this call is over.
  ///
  /// - Parameter isFollowing: whether `new` continues the state before. If false, members of another part of the room
  ///   ended the call, and the silence remains for this member alone.
  mutating func lift(by new: SessionState, isFollowing: Bool, _ out: inout Effects) {
    guard let number = inRoom, !SilenceCall.isLater(number, than: new.endedSilence) else { return }
    if isFollowing { end(&out) } else { current?.isOwn = true }
  }

  /// Makes the call in force apply to this member alone.
  ///
  /// The function is called when this member leaves the part of the room in which the call was made.
  package mutating func restrictToSelf() { current?.isOwn = true }

  /// Ends the call in force.
  mutating func end(_ out: inout Effects) {
    guard current != nil else { return }
    current = nil
    out.event(.panicLifted)
  }

  package mutating func shift(by nanoseconds: Int64) {
    ownCall?.next.shift(by: nanoseconds)
    ownCall?.end.shift(by: nanoseconds)
    current?.since.shift(by: nanoseconds)
    (reminders, confirmations) = ([:], [:])
  }
}

/// A call for silence that is in force: nothing sounds in the room until the silence is lifted.
///
/// Any member may call for silence. Each member repeats the call in its hellos, so that a member that was cut off obeys
/// as soon as it hears another member again. Only a new state ends the silence, so that only a member that may conduct
/// can lift it.
package struct SilenceCall: Hashable, Sendable {
  /// The number of the call, modulo 2³², counted among the calls of all members that share a clock.
  ///
  /// The state's `endedSilence` is the number of the last call that is over.
  var number: UInt32
  /// The member that called.
  var caller: MemberID
  /// The time at which the call reached this member.
  var since: HostTime
  /// Whether the call comes from a part of the room that this member has left: it then applies to this member alone.
  package var isOwn = false

  /// The largest difference between the numbers of two valid calls in a room.
  private static let window = 4096

  /// Returns whether the call with the number `number` is later than the call `other`, although the numbers wrap
  /// around.
  package static func isLater(_ number: UInt32, than other: UInt32) -> Bool {
    (1..<window).contains(Int(Int32(bitPattern: number &- other)))
  }
}

/// A member that did not confirm a call for silence.
public struct UnconfirmedMember: Hashable, Sendable {
  /// The member.
  public var member: MemberID
  /// The name under which the member is or was shown; empty for a hidden member.
  public var name: String
  /// The seconds since the member's last message.
  public var silentFor: Int32

  /// Creates an unconfirmed member from its parts.
  public init(member: MemberID, name: String, silentFor: Int32) {
    (self.member, self.name, self.silentFor) = (member, name, silentFor)
  }

  /// The largest number of members that a confirmation names.
  static let most = 8
}

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
    if let number = silence.inRoom { try writeIfPermitted(room, &out) { $0.endedSilence = number } }
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
