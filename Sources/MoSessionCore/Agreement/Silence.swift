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
