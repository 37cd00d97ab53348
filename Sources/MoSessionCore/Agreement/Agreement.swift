import MoCore

/// The state that all members agree on: the conductor, the policy, the timeline, and the call for silence.
///
/// If two members have different states, both decide by the same rules which state remains, and so agree again.
package struct Agreement: Sendable {
  /// The agreed state, as this member has it.
  package var state = SessionState.none
  /// The installation to which this program's setting gives the exclusive right to conduct; `nobody` for none.
  package var reserved: MemberID
  /// The stored state of a part of the room whose clock this member does not follow yet; nil for none.
  package var foreign: SessionState?
  /// The time at which this member first stored a state of that part, or last heard a present member report `foreign`.
  var foreignSince = HostTime.distantPast
  /// The part that plays separately from ours, with the time until which it is remembered; nil for none.
  package var separatePart: SeparatePart?
  /// The epochs that diverge from our state, each with the time since which the epoch counts as diverging.
  var divergingEpochs: [UInt32: HostTime] = [:]
  /// The last two states that this member gave up for a diverging state, the later state first, each with the time.
  ///
  /// The next epoch that this member begins also counts as a continuation of these states. Otherwise a late copy of
  /// such a state could win over that epoch.
  var abandoned: [(state: SessionState, at: HostTime, isRace: Bool)] = []
  /// An earlier state with stricter rules, which the present state has replaced; nil for none.
  ///
  /// Until the time `until`, another member's state that was written at the same time as this earlier state can still
  /// arrive. See `hasLost`.
  var stricter: (state: SessionState, until: HostTime)?
  /// The highest epoch that this member has heard of.
  ///
  /// A new epoch gets a higher number, even if the state of the highest epoch was lost.
  package var highestEpoch: UInt32 = 0
  /// The newest version of the state that this member has written.
  package var written = StateVersion.none
  /// The version of the last state in which this member gave the baton to a holder.
  ///
  /// At first, no other member has that state, so this member sends the state without delay.
  var handed = StateVersion.none
  /// The time at which this member received or wrote the last change of the state by a person.
  var stateSince: HostTime
  /// The time at which the timeline in this member's state last changed.
  var rhythmSince = HostTime.distantPast
  /// The time since which the conductor is absent; nil while the conductor is here, and nil if there is no conductor.
  var conductorLostAt: HostTime?
  private var lastConductor: MemberID?
  /// The absence of the only installation that may conduct.
  var reservedAway: Absence?
  /// The call for silence in force, and this member's own call for silence.
  package var silence = Silence()

  /// The members that lack the newest state, and the schedule for each.
  package var pushes: [MemberID: StatePush] = [:]
  /// The earliest time at which the state is sent to a member that lacks it.
  var nextPush = HostTime.distantFuture
  /// The rate limit of sends of our state, for each member whose own state does not replace ours.
  var reminders: [MemberID: RateLimit] = [:]
  /// The rate limit of requests for the baton that are reported to the program while this member conducts.
  var batonQuestions = RateLimit()
  /// The rate limit of reactions to unauthorised states: to rewrite the valid state, or to relay the unauthorised
  /// state.
  var reaffirming = RateLimit()
  /// The times at which this member began to refuse newer states, and last refused a newer state, with its epoch at
  /// that time; nil for none.
  var refusals: (since: HostTime, last: HostTime, epoch: UInt32)?
  /// The time at which this member last overrode an override without its last change.
  var overtakenAt = HostTime.distantPast
  /// The rate limit of accepted epochs whose number is far above the known epochs (`StateVersion.isFar`).
  var epochJumps = RateLimit()

  /// The seconds within which two diverging states count as written at the same time.
  ///
  /// After this time, each member has received both states.
  package static let race = 5.0
  /// The seconds for which a conductor that vanished keeps the baton, even if another member wants to start the rhythm.
  static let gracePeriod = 30.0
  /// Seconds after which a person can lift the exclusive right of an absent installation.
  package static let lapse = 60.0

  init(reserved: MemberID, now: HostTime) { (self.reserved, stateSince) = (reserved, now) }

  /// The earliest time at which the state or this member's call for silence needs work, such as another send.
  var next: HostTime { min(nextPush, silence.next) }

  /// Shifts all stored times by the nanoseconds by which the host clock has stepped.
  mutating func shift(by nanoseconds: Int64, now: HostTime) {
    // A state written before a sleep was not written at the same time as the others' states written meanwhile.
    (stateSince, rhythmSince, overtakenAt) = (.distantPast, .distantPast, .distantPast)
    foreignSince.shift(by: nanoseconds)
    reservedAway?.since.shift(by: nanoseconds)
    conductorLostAt?.shift(by: nanoseconds)
    // The next check finds the members that lack the state anew.
    (pushes, nextPush) = ([:], .distantFuture)
    silence.shift(by: nanoseconds)
    (separatePart, abandoned, stricter, refusals) = (nil, [], nil, nil)
    divergingEpochs = divergingEpochs.mapValues { _ in now.advanced(bySeconds: -1) }
  }

  /// Forgets a member that has left.
  ///
  /// - Parameter withGoodbye: whether the member said goodbye. A conductor that said goodbye does not come back for the
  ///   baton.
  mutating func forget(_ id: MemberID, withGoodbye: Bool) {
    if withGoodbye, id == state.conductor { conductorLostAt = .distantPast }
    (pushes[id], reminders[id]) = (nil, nil)
    silence.forget(id, withGoodbye: withGoodbye)
  }

  // MARK: the conductor

  /// Returns the conductor, if it is here, and not in a separate part of the room.
  func conductor(_ room: RoomView) -> MemberID? {
    state.conductor.flatMap { room.isHere($0) && !isApart(room.members[$0], room) ? $0 : nil }
  }

  /// Reports a change of the conductor.
  mutating func checkConductor(_ room: RoomView, _ out: inout Effects) {
    let conductor = conductor(room)
    conductorLostAt = state.conductor == nil || conductor != nil ? nil : conductorLostAt ?? room.now
    guard conductor != lastConductor else { return }
    lastConductor = conductor
    out.event(.conductor(conductor))
    out.add(.conductor)
    out.add(.sweep(by: room.now.advanced(bySeconds: 0.25)))
  }
}
