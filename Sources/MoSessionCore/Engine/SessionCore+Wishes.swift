import MoCore

/// What the program asks of the session.
extension SessionCore {
  // MARK: conducting

  /// Starts the rhythm, which takes the baton; while it plays on after a conductor has gone, it is started anew.
  ///
  /// It ends a silence that was called for.
  ///
  /// - Throws: `SessionRefusal.conducted`, `away`, `reserved`, `arriving`.
  public mutating func start(_ beginning: Beginning, now: HostTime) throws(SessionRefusal) {
    try agreement.mayConduct(view(now))
    // A member that has listened long enough and heard of no room is the first.
    if clock.base == nil, now >= roster.discovery.foundsAt { clock.found(roster, at: now, &out) }
    drain(at: now)
    defer { drain(at: now) }
    try agreement.start(beginning, view(now), &out)
  }

  /// Takes the baton of a rhythm that plays on without a conductor.
  ///
  /// - Throws: `SessionRefusal.conducted`, `reserved`, `noRhythm`.
  public mutating func takeBaton(now: HostTime) throws(SessionRefusal) {
    defer { drain(at: now) }
    try agreement.takeBaton(view(now), &out)
  }

  /// Stops the rhythm at the next line of a grid, which lays down the baton.
  ///
  /// - Throws: `SessionRefusal.notConductor`, `noRhythm`, `arriving`.
  public mutating func stop(at grid: BeatGrid = .beat, now: HostTime) throws(SessionRefusal) {
    defer { drain(at: now) }
    try agreement.change(at: grid, isHeld: false, view(now), &out) { $0.stopping(at: $1, now: $2) }
  }

  /// Changes the tempo from the next line of a grid on, at once there or over so many beats.
  ///
  /// - Throws: `SessionRefusal.notConductor`, `noRhythm`, `arriving`.
  public mutating func setTempo(
    _ tempo: Double, over beats: Double = 0, at grid: BeatGrid = .beat, now: HostTime
  ) throws(SessionRefusal) {
    defer { drain(at: now) }
    try agreement.change(at: grid, view(now), &out) {
      $0.changing(tempo: tempo, over: beats, at: $1, now: $2)
    }
  }

  /// Changes the meter from the next bar line on.
  ///
  /// - Throws: `SessionRefusal.notConductor`, `noRhythm`, `arriving`.
  public mutating func setMeter(_ meter: Meter, now: HostTime) throws(SessionRefusal) {
    defer { drain(at: now) }
    try agreement.change(at: .bar, view(now), &out) { $0.changing(meter: meter, at: $1, now: $2) }
  }

  /// Hands the baton to another member.
  ///
  /// - Throws: `SessionRefusal.notConductor`, `unknownMember`, `reserved`.
  public mutating func handOver(to id: MemberID, now: HostTime) throws(SessionRefusal) {
    defer { drain(at: now) }
    try agreement.handOver(to: id, view(now), &out)
  }

  /// Asks the conductor for the baton: it is told, and may hand it over.
  ///
  /// - Throws: `SessionRefusal.noConductor`, `reserved`, `closed`, `crowded`.
  package mutating func askForBaton(now: HostTime) throws(SessionRefusal) {
    guard let conductor = conductor(at: now), conductor != me else { throw .noConductor }
    try agreement.mayHold(roster.settings.identity.installation, view(now))
    try play(.cue(SessionCue(.askForBaton)), to: .member(conductor), now: now)
  }

  /// Lets our part go over to the other one, all members of it: the conductor decides, or any member that may conduct.
  ///
  /// - Throws: `SessionRefusal.noOtherPart`, `conducted`, `away`, `reserved`, `closed`, `arriving`, `otherPartFree`.
  public mutating func joinOtherPart(now: HostTime) throws(SessionRefusal) {
    defer { drain(at: now) }
    try agreement.joinOtherPart(view(now), &out)
  }

  /// Lets all conduct again although only one installation may, which has been away for a minute.
  ///
  /// - Throws: `SessionRefusal.notReserved`, `reserved`, `arriving`.
  package mutating func liftConductorOnly(now: HostTime) throws(SessionRefusal) {
    defer { drain(at: now) }
    try agreement.liftConductorOnly(view(now), &out)
  }

  /// Sets all gates, for everybody.
  ///
  /// The conductor may, while there is one; else all whose rhythm gate is not closed. If only one installation may
  /// conduct, only that one may. A member that closes its own rhythm gate lays down the baton.
  ///
  /// - Throws: `SessionRefusal.conducted`, `away`, `reserved`, `closed`, `tooManyGates`, `arriving`.
  package mutating func setGates(_ gates: GateTable, now: HostTime) throws(SessionRefusal) {
    defer { drain(at: now) }
    try agreement.setGates(gates, view(now), &out)
  }

  /// Changes one gate, of members that are here; nil stands for all.
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

  /// Silences everybody until the next start of a rhythm; `panicEnded` names the members that have not confirmed it.
  package mutating func callForSilence(now: HostTime) {
    agreement.callForSilence(view(now), &out)
    drain(at: now)
  }

  /// Lets the room sound again, without starting a rhythm; a member that may conduct may.
  ///
  /// - Throws: `SessionRefusal.conducted`, `away`, `reserved`, `closed`, `arriving`.
  package mutating func liftSilence(now: HostTime) throws(SessionRefusal) {
    defer { drain(at: now) }
    try agreement.liftSilence(view(now), &out)
  }

  // MARK: sections

  /// Assigns a member to a section, or takes it out; it stays there when it starts anew.
  ///
  /// The same members may as may set gates.
  ///
  /// - Throws: `SessionRefusal.unknownMember`, `badSection`, `tooManyCells`, `conducted`, `reserved`, `closed`.
  package mutating func setSection(
    _ name: String, of id: MemberID, _ isIn: Bool = true, now: HostTime
  ) throws(SessionRefusal) {
    guard let edits = try sectionView(now).edit(name, of: id, isIn) else { return }
    try share(edits, now: now)
  }

  /// Sets how loud a section is, 0…1, for all that are in it, now or later.
  ///
  /// The same members may as may set gates.
  ///
  /// - Throws: `SessionRefusal.unknownSection`, `conducted`, `reserved`, `closed`, `tooManySections`, `arriving`.
  package mutating func setLevel(
    _ level: Float, ofSection section: String, now: HostTime
  ) throws(SessionRefusal) {
    try setLevels(try sectionView(now).levels(of: section) { $0.set(level, of: section) }, now: now)
  }

  /// Silences a section, or lets it be heard.
  ///
  /// - Throws: as `setLevel`.
  package mutating func setMuted(_ isMuted: Bool, section: String, now: HostTime) throws(SessionRefusal) {
    try setLevels(try sectionView(now).levels(of: section) { $0.setMuted(isMuted, section) }, now: now)
  }

  private mutating func setLevels(_ levels: SectionLevels?, now: HostTime) throws(SessionRefusal) {
    defer { drain(at: now) }
    try agreement.setLevels(levels, view(now), &out)
  }

  // MARK: sharing and playing

  /// Sends everybody changes to something that is shared, a drum machine or the like.
  ///
  /// All that are here have them within a moment, and members that come later, too; concurrent ones converge, cell by cell.
  ///
  /// - Throws: `SessionRefusal.badParameter`, `tooManyCells`.
  package mutating func share(_ edits: SharedEdits, now: HostTime) throws(SessionRefusal) {
    defer { drain(at: now) }
    try sharing.share(edits, by: roster.settings.identity.installation, at: now, &out)
  }

  /// Tells the conductor how much this member moves, 0…1.
  ///
  /// It may be called at any rate: the mean since the last report goes out ten times a second at most.
  package mutating func setActivity(_ level: Float, now: HostTime) {
    activity.set(level, agreement, view(now), &out)
    drain(at: now)
  }

  // MARK: members

  /// Says what is played here, which others then see; cut to 40 characters.
  package mutating func setPlays(_ instrument: String) { roster.setPlays(instrument) }

  /// What this member says of its machine when it is asked.
  package mutating func setHealth(_ health: MemberHealth) { roster.setHealth(health) }

  /// Notes how many seconds of sound are made ahead of being heard: what is due sooner comes too late.
  package mutating func setSoundLead(_ seconds: Double) { roster.setSoundLead(seconds) }

  /// Ignores what a member asks for, or no longer: all programs of its installation, also once they start anew.
  ///
  /// It stays in the roster, and the clock and the rhythm do not depend on it: the room stays one.
  package mutating func setIgnored(_ isIgnored: Bool, _ id: MemberID) throws(SessionRefusal) {
    try roster.setIgnored(isIgnored, id)
  }

  /// Says goodbye to everybody.
  package mutating func leave(now: HostTime) {
    // What waits to go with others goes first.
    delivery.flush(view(now), &out)
    roster.leave(&out)
    drain(at: now)
  }

  /// Asks who is there, in this room or in any.
  package mutating func ask(anyRoom: Bool = false) {
    roster.ask(anyRoom: anyRoom, &out)
    drain(at: latest)
  }

  /// Takes in a directory's hint: hellos go there until the member answers.
  package mutating func note(_ hint: PeerCandidate, now: HostTime) {
    roster.note(hint, now: now)
  }

  /// Takes back a directory's hint; a member that is here stays while it is heard.
  package mutating func forget(_ hint: PeerCandidate) { roster.forget(hint) }

  /// Looks for members at these addresses from now on, in place of those that were typed before.
  ///
  /// - Returns: whether a member is at one of them.
  package mutating func setTyped(_ endpoints: [SessionEndpoint]) -> Bool {
    roster.setTyped(endpoints)
  }

  /// Asks all members how their machines are; `health(of:)` says what they answered.
  package mutating func beginCheck(now: HostTime) { checkup = Checkup(among: members.count, now: now) }
}
