import MoCore

extension SessionCore {
  /// Sets all gates, for everybody.
  ///
  /// Who conducts may, while somebody does; else everybody whose rhythm gate is not closed. Where only one installation
  /// may conduct, only that one may. Who closes its own rhythm gate lays down the baton.
  ///
  /// - Throws: `SessionRefusal.conducted`, `away`, `reserved`, `closed`, `tooManyGates`, `arriving`.
  package mutating func setGates(_ gates: GateTable, now: HostTime) throws(SessionRefusal) {
    guard gates != state.policy.gates else { return try mayConduct(at: now) }
    guard gates.fits(besideSections: state.policy.sections.entries.count) else {
      throw .tooManyGates
    }
    let mine = settings.identity.installation
    try agree(at: now) { state in
      state.policy.gates = gates
      if gates.weight(.rhythm, from: mine) == 0 { state.isHeld = false }
    }
  }

  /// Writes something that all agree on, as who may conduct may.
  ///
  /// - Throws: `SessionRefusal.conducted`, `away`, `reserved`, `closed`, `arriving`.
  mutating func agree(at now: HostTime, _ change: (inout SessionState) -> Void) throws(SessionRefusal) {
    try mayConduct(at: now)
    guard isSynced else { throw .arriving }
    write(at: now, change)
  }

  /// Changes one gate, of members who are here; nil stands for all.
  ///
  /// - Parameter weight: 0…1, or nil to take back what was stated.
  /// - Throws: as `setGates`, and `SessionRefusal.unknownMember`.
  package mutating func setGate(
    _ weight: Float?, _ kind: GateKind, from: MemberID?, to: MemberID?, now: HostTime
  ) throws(SessionRefusal) {
    var gates = state.policy.gates
    guard gates.set(weight, kind, from: try installation(from), to: try installation(to)) else {
      throw .tooManyGates
    }
    try setGates(gates, now: now)
  }

  /// The installation of a member who is here; `nobody` for all.
  package func installation(_ id: MemberID?) throws(SessionRefusal) -> MemberID {
    guard let id else { return .nobody }
    if id == me { return settings.identity.installation }
    guard let member = members[id] else { throw .unknownMember(id) }
    return member.identity.installation
  }

  /// How much of a member's influence reaches us.
  func weight(_ kind: GateKind, from id: MemberID, _ installation: MemberID) -> Float {
    state.policy.gates.weight(
      kind, from: installation, to: settings.identity.installation, isElsewhere: isElsewhere(id))
  }

  /// How much of our own influence counts where it is for all.
  func ownWeight(_ kind: GateKind) -> Float {
    state.policy.gates.weight(kind, from: settings.identity.installation)
  }

  /// Whether a sign of a member's is one of who leads: it conducts, or nobody does whom it could not take the baton from.
  func mayLead(_ id: MemberID, _ installation: MemberID, at now: HostTime) -> Bool {
    guard only == .nobody || only == installation else { return false }
    guard let conductor = conductor(at: now), conductor != id else { return mayWrite(installation, at: now) }
    let gates = state.policy.gates
    return gates.weight(.rhythm, from: installation) >= 1
      && gates.weight(.rhythm, from: state.holderInstallation) < 1
  }

  /// The one installation that may conduct; `nobody` for all.
  ///
  /// What a program was started with goes before what the room says, unless people have lifted it.
  var only: MemberID {
    let isLifted = settings.only == .nobody || settings.only == state.policy.lifted
    return isLifted ? state.policy.only : settings.only
  }

  /// Whether an installation may write the state, by the policy that holds: if nobody is here who may, all may.
  ///
  /// Where one alone may, its word counts whatever the gates say: by its own gates nobody at all could open them again.
  func mayWrite(_ installation: MemberID, at now: HostTime) -> Bool {
    if permits(installation) { return true }
    guard only == .nobody, ownWeight(.rhythm) == 0, !hasConductor(at: now) else { return false }
    // The keeper may hear a member that is not heard here; its word counts while it is here, if the same rules hold there.
    guard !isKeeper, let base, isKept(base, at: now), let standing = pulses.standing(of: base),
      standing.hasConductor
    else { return true }
    return standing.rules != state.policy.digest
  }

  /// The names of the other members that are here and may open a rhythm gate: the conductor alone, if one conducts.
  func openers(at now: HostTime) -> [String] {
    if let conductor = conductor(at: now), conductor != me, let name = names.name(of: conductor) {
      return [name]
    }
    return members.filter { !$0.value.isHidden && isAllowed($0.value, at: now) }
      .compactMap { names.name(of: $0.key) }.sorted()
  }

  /// Whether this member may conduct, or a member that it hears.
  func hasConductor(at now: HostTime) -> Bool {
    permits(settings.identity.installation) || members.values.contains { isAllowed($0, at: now) }
  }

  func permits(_ installation: MemberID) -> Bool {
    var policy = state.policy
    policy.only = only
    return policy.permits(installation)
  }

  func isAllowed(_ member: Member, at now: HostTime) -> Bool {
    isHere(member, at: now) && permits(member.identity.installation)
  }

  /// Whether a state is one that may be: its holder may write it, or a member that may has it, too.
  ///
  /// - Parameter id: the member that has sent it.
  func isLegitimate(_ new: SessionState, from id: MemberID, at now: HostTime) -> Bool {
    if mayWrite(new.holderInstallation, at: now) { return true }
    if only != .nobody, new.policy.lifted == only, new.policy.only == .nobody {
      return state.version == .none || isLapsed(at: now)
    }
    let isShared = members.contains {
      ($0.key == id || $0.value.brief.version == new.version) && isAllowed($0.value, at: now)
    }
    return isShared || isCheckedElsewhere(new, at: now)
  }

  /// Whether the keeper hears a member that may conduct and is not heard here, and the rules stay as they are.
  ///
  /// Such a state cannot be checked here. If it is not that member's will, that member writes a newer one.
  private func isCheckedElsewhere(_ new: SessionState, at now: HostTime) -> Bool {
    guard let base, !hasConductor(at: now), isKept(base, at: now), let standing = pulses.standing(of: base)
    else { return false }
    let (mine, theirs) = (state.policy.digest, new.policy.digest)
    return standing.hasConductor && standing.rules == mine && theirs == mine
  }

  /// Whether it is on us to say again what holds, above one who may not write: on its holder, else on the first who may.
  func isToReaffirm(at now: HostTime) -> Bool {
    guard permits(settings.identity.installation) else { return false }
    let holder = state.version.holder
    if holder == me { return true }
    if let member = members[holder], isAllowed(member, at: now) { return false }
    return !members.contains { $0.key < me && isAllowed($0.value, at: now) }
  }
}
