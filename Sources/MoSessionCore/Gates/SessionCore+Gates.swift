import MoTime

extension SessionCore {
  /// Sets all gates, for everybody.
  ///
  /// Who conducts may, while somebody does; else everybody whose rhythm gate is not closed. Where only one installation
  /// may conduct, only that one may. Who closes its own rhythm gate lays down the baton.
  ///
  /// - Throws: `SessionRefusal.conducted`, `reserved`, `closed`, `tooManyGates`, `arriving`.
  public mutating func setGates(_ gates: GateTable, now: HostTime) throws(SessionRefusal) {
    guard gates != state.gates else { return try mayConduct(at: now) }
    guard gates.entries.count + state.sections.entries.count <= GateTable.most else { throw .tooManyGates }
    try agree(at: now) { state in
      (state.gates, state.gatesVersion) = (gates, state.version)
    }
  }

  /// Writes something that all agree on, as who may conduct may; who closes its own rhythm gate lays down the baton.
  ///
  /// - Throws: `SessionRefusal.conducted`, `reserved`, `closed`, `arriving`.
  mutating func agree(
    at now: HostTime, _ change: (inout SessionState) -> Void
  ) throws(SessionRefusal) {
    try mayConduct(at: now)
    guard isSynced, let base else { throw .arriving }
    if state.conductor == me, state.version >= written {
      state.version = state.version.revised
    } else {
      state.version = state.version.next(heldBy: me, after: highestEpoch)
      state.isHeld = false
    }
    (state.lineage, state.joins) = (base.lineage, .nobody)
    state.holderInstallation = settings.identity.installation
    if settings.only != .nobody { state.only = settings.only }
    change(&state)
    if ownWeight(.rhythm) == 0 { state.isHeld = false }
    wrote(at: now)
  }

  /// Changes one gate, of members who are here; nil stands for all.
  ///
  /// - Parameter weight: 0…1, or nil to take back what was stated.
  /// - Throws: as `setGates`, and `SessionRefusal.unknownMember`.
  public mutating func setGate(
    _ weight: Float?, _ kind: GateKind, from: MemberID?, to: MemberID?, now: HostTime
  ) throws(SessionRefusal) {
    var gates = state.gates
    guard gates.set(weight, kind, from: try installation(from), to: try installation(to)) else {
      throw .tooManyGates
    }
    try setGates(gates, now: now)
  }

  /// The installation of a member who is here; `nobody` for all.
  public func installation(_ id: MemberID?) throws(SessionRefusal) -> MemberID {
    guard let id else { return .nobody }
    if id == me { return settings.identity.installation }
    guard let member = members[id] else { throw .unknownMember(id) }
    return member.identity.installation
  }

  /// How much of a member's influence reaches us.
  func weight(_ kind: GateKind, from id: MemberID, _ installation: MemberID) -> Float {
    state.gates.weight(
      kind, from: installation, to: settings.identity.installation, isElsewhere: isElsewhere(id))
  }

  /// How much of our own influence counts where it is for all.
  func ownWeight(_ kind: GateKind) -> Float {
    state.gates.weight(kind, from: settings.identity.installation)
  }

  /// Whether a sign of a member's is one of who leads: it conducts, or nobody does whom it could not take the baton from.
  func mayLead(_ id: MemberID, _ installation: MemberID, at now: HostTime) -> Bool {
    let only = settings.only != .nobody ? settings.only : state.only
    guard only == .nobody || only == installation else { return false }
    guard let conductor = conductor(at: now), conductor != id else { return mayWrite(installation, at: now) }
    let gates = state.gates
    return gates.weight(.rhythm, from: installation) >= 1
      && gates.weight(.rhythm, from: state.holderInstallation) < 1
  }

  /// Whether an installation may write the state, by the gates that hold: where nobody is here who may, all may.
  ///
  /// Where one alone may, its word counts whatever the gates say: by its own gates nobody at all could open them again,
  /// and who has them open may not write, and would say again what holds for ever.
  func mayWrite(_ installation: MemberID, at now: HostTime) -> Bool {
    let only = settings.only != .nobody ? settings.only : state.only
    if only != .nobody { return installation == only }
    let gates = state.gates
    if gates.weight(.rhythm, from: installation) > 0 { return true }
    return ownWeight(.rhythm) == 0 && !members.values.contains { isAllowed($0, at: now) }
  }

  private func isAllowed(_ member: Member, at now: HostTime) -> Bool {
    isHere(member, at: now) && state.gates.weight(.rhythm, from: member.identity.installation) > 0
  }

  /// Whether a state is to be taken: by who may write it; by those here who may, since they have it, too; or because
  /// its gates were set before ours, where both were set at once.
  ///
  /// The last is what parts of a room need that were cut off, each with gates that shut out the other's conductor: else
  /// each would say again what holds above the other for ever.
  func isLegitimate(_ new: SessionState, at now: HostTime) -> Bool {
    if mayWrite(new.holderInstallation, at: now) { return true }
    if new.gatesVersion != .none, new.gatesVersion < state.gatesVersion, !knowsGates(new, at: now) {
      return true
    }
    return members.values.contains { isAllowed($0, at: now) && $0.brief.version == new.version }
  }

  /// Notes who has the gates that hold.
  mutating func noteGates(at now: HostTime) {
    if gateWitness.version != state.gatesVersion {
      gateWitness = GateWitness(version: state.gatesVersion, since: now)
    }
    for member in members.values where gateWitness.hasHadTime(member, at: now) {
      gateWitness.add(member.identity.installation)
    }
  }

  /// Whether who wrote a state has had the gates that hold, and so cannot have set others without knowing of these.
  private func knowsGates(_ new: SessionState, at now: HostTime) -> Bool {
    guard gateWitness.version == state.gatesVersion else { return false }
    if gateWitness.contains(new.holderInstallation) { return true }
    guard let writer = members[new.version.holder] else { return false }
    return gateWitness.contains(writer.identity.installation) || gateWitness.hasHadTime(writer, at: now)
  }

  /// Whether it is on us to say again what holds, above one who may not write: on who wrote it, else on the first who
  /// may.
  func isToOverrule(at now: HostTime) -> Bool {
    guard ownWeight(.rhythm) > 0 else { return false }
    let holder = state.version.holder
    if holder == me { return true }
    if let member = members[holder], isAllowed(member, at: now) { return false }
    return !members.contains { $0.key < me && isAllowed($0.value, at: now) }
  }
}
