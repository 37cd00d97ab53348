import MoCore

/// Requests of the program to the session.
extension SessionCore {
  // MARK: conducting

  /// Starts the rhythm and takes the baton.
  ///
  /// If a rhythm still plays after its conductor has left, a new start replaces it. A start ends a silence.
  ///
  /// - Throws: `SessionRefusal.conducted`, `away`, `reserved`, `closed`, `arriving`.
  public mutating func start(_ beginning: Beginning, now: HostTime) throws(SessionRefusal) {
    try agreement.mayConduct(view(now))
    // A member that has listened long enough without finding a room founds it.
    if clock.base == nil, now >= roster.discovery.foundsAt { clock.found(roster, at: now, &out) }
    drain(at: now)
    defer { drain(at: now) }
    try agreement.start(beginning, view(now), &out)
  }

  /// Takes the baton of a rhythm that plays on without a conductor.
  ///
  /// - Throws: `SessionRefusal.conducted`, `reserved`, `closed`, `noRhythm`.
  public mutating func takeBaton(now: HostTime) throws(SessionRefusal) {
    defer { drain(at: now) }
    try agreement.takeBaton(view(now), &out)
  }

  /// Takes the baton if a rhythm plays without a conductor, so that the next request changes that rhythm.
  ///
  /// - Throws: `SessionRefusal.reserved`, `closed`.
  package mutating func takeFreeBaton(now: HostTime) throws(SessionRefusal) {
    guard conductor(at: now) == nil, announced.isPlaying else { return }
    try takeBaton(now: now)
  }

  /// Stops the rhythm at the next line of a grid, and releases the baton.
  ///
  /// - Throws: `SessionRefusal.notConductor`, `noRhythm`, `arriving`.
  public mutating func stop(at grid: BeatGrid = .beat, now: HostTime) throws(SessionRefusal) {
    defer { drain(at: now) }
    try agreement.change(at: grid, isHeld: false, view(now), &out) { $0.stopping(at: $1, now: $2) }
  }

  /// Changes the tempo at the next line of a grid, in one step or gradually over a number of beats.
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

  /// Returns how many seconds ahead a change must be announced, so that all members receive it in time.
  package func lead(at now: HostTime) -> Double { agreement.lead(view(now)) }

  /// Changes the tempo to `tempo` bpm at `time`, and to `then` bpm at `end`.
  ///
  /// Call this function at least `lead(at:)` seconds before `time`.
  ///
  /// - Throws: `SessionRefusal.notConductor`, `noRhythm`, `arriving`.
  package mutating func steer(
    _ tempo: Double, at time: SessionTime, then: Double, at end: SessionTime, now: HostTime
  ) throws(SessionRefusal) {
    defer { drain(at: now) }
    try agreement.steer(tempo, at: time, then: then, at: end, view(now), &out)
  }

  /// Changes the meter at the next bar line.
  ///
  /// - Throws: `SessionRefusal.notConductor`, `noRhythm`, `arriving`.
  public mutating func setMeter(_ meter: Meter, now: HostTime) throws(SessionRefusal) {
    defer { drain(at: now) }
    try agreement.change(at: .bar, view(now), &out) { $0.changing(meter: meter, at: $1, now: $2) }
  }

  /// Hands the baton to another member.
  ///
  /// - Throws: `SessionRefusal.notConductor`, `unknownMember`, `reserved`, `closed`.
  public mutating func handOver(to id: MemberID, now: HostTime) throws(SessionRefusal) {
    defer { drain(at: now) }
    try agreement.handOver(to: id, view(now), &out)
  }

  /// Asks the conductor for the baton: the conductor's program is notified, and may hand the baton over.
  ///
  /// - Throws: `SessionRefusal.noConductor`, `reserved`, `closed`, `crowded`.
  package mutating func askForBaton(now: HostTime) throws(SessionRefusal) {
    guard let conductor = conductor(at: now), conductor != me else { throw .noConductor }
    try agreement.mayHold(roster.settings.identity.installation, view(now))
    try play(.cue(SessionCue(.askForBaton)), to: .member(conductor), now: now)
  }

  /// Makes all members of our part of the room join the other part (`partBeside`).
  ///
  /// Only the conductor may do this; if there is no conductor, any member that may conduct.
  ///
  /// - Throws: `SessionRefusal.noOtherPart`, `conducted`, `away`, `reserved`, `closed`, `arriving`, `otherPartFree`,
  ///   `otherPartRefuses`.
  public mutating func joinOtherPart(now: HostTime) throws(SessionRefusal) {
    defer { drain(at: now) }
    try agreement.joinOtherPart(view(now), &out)
  }

  /// Lets all members conduct again, if only one installation may conduct (`--conductor-only`).
  ///
  /// Members of this installation may call this function at any time. Other members may call it when the installation
  /// has been away for a minute.
  ///
  /// - Throws: `SessionRefusal.notReserved`, `reserved`, `arriving`.
  package mutating func liftConductorOnly(now: HostTime) throws(SessionRefusal) {
    defer { drain(at: now) }
    try agreement.liftConductorOnly(view(now), &out)
  }

  /// Sets all gates for all members.
  ///
  /// While a member conducts, only the conductor may set gates; otherwise any member whose rhythm gate is not closed
  /// may. A member with the rhythm gate 1 may, too, if the conductor's is lower, and takes the baton. If only one
  /// installation may conduct, only that installation may set gates. A conductor that closes its own rhythm gate
  /// releases the baton.
  ///
  /// - Throws: `SessionRefusal.conducted`, `away`, `reserved`, `closed`, `tooManyGates`, `arriving`.
  package mutating func setGates(_ gates: GateTable, now: HostTime) throws(SessionRefusal) {
    defer { drain(at: now) }
    try agreement.setGates(gates, view(now), &out)
  }

  /// Changes one gate: how much the member `from` may influence the member `to`; nil stands for all members.
  ///
  /// - Parameter weight: 0…1, or nil to remove the gate, so that a more general gate applies.
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

  /// Silences all members until the next start of a rhythm.
  ///
  /// The event `panicEnded` names the members that have not confirmed the call for silence.
  package mutating func callForSilence(now: HostTime) {
    agreement.callForSilence(view(now), &out)
    drain(at: now)
  }

  /// Ends the silence without starting a rhythm, if this member may conduct.
  ///
  /// - Throws: `SessionRefusal.conducted`, `away`, `reserved`, `closed`, `arriving`.
  package mutating func liftSilence(now: HostTime) throws(SessionRefusal) {
    defer { drain(at: now) }
    try agreement.liftSilence(view(now), &out)
  }

  // MARK: sections

  /// Assigns a member to a section (`isIn`), or removes the member from the section.
  ///
  /// The assignment outlives a restart of the member's program. The function needs the same rights as `setGates`.
  ///
  /// - Throws: `SessionRefusal.unknownMember`, `badSection`, `tooManyCells`, `conducted`, `away`, `reserved`, `closed`.
  package mutating func setSection(
    _ name: String, of id: MemberID, _ isIn: Bool = true, now: HostTime
  ) throws(SessionRefusal) {
    guard let edits = try sectionView(now).edit(name, of: id, isIn) else { return }
    try share(edits, now: now)
  }

  /// Sets the level of a section, 0…1, for all its present and later members.
  ///
  /// Only a member that may set gates (`setGates`) may set levels.
  ///
  /// - Throws: `SessionRefusal.unknownSection`, `conducted`, `away`, `reserved`, `closed`, `tooManySections`,
  ///   `arriving`.
  package mutating func setLevel(
    _ level: Float, ofSection section: String, now: HostTime
  ) throws(SessionRefusal) {
    try setLevels(try sectionView(now).levels(of: section) { $0.set(level, of: section) }, now: now)
  }

  /// Mutes or unmutes a section.
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

  /// Changes shared data, for example a drum pattern, and sends the changes to all members.
  ///
  /// All present members receive the changes within a moment, and later members when they join. Concurrent changes
  /// converge, cell by cell.
  ///
  /// - Throws: `SessionRefusal.badParameter`, `tooManyCells`.
  package mutating func share(_ edits: SharedEdits, now: HostTime) throws(SessionRefusal) {
    defer { drain(at: now) }
    try sharing.share(edits, by: roster.settings.identity.installation, at: now, &out)
  }

  /// Reports to the conductor how much this member moves, 0…1.
  ///
  /// You may call this function as often as you like. At most ten times a second, the session sends the mean of the
  /// values since its last report.
  package mutating func setActivity(_ level: Float, now: HostTime) {
    activity.set(level, agreement, view(now), &out)
    drain(at: now)
  }

  // MARK: members

  /// Sets the name of the instrument that this member plays, which other members see; the name is cut to 40 characters.
  package mutating func setPlays(_ instrument: String) { roster.setPlays(instrument) }

  /// Sets the data about this machine that this member reports in a check before a concert.
  package mutating func setHealth(_ health: MemberHealth) { roster.setHealth(health) }

  /// Sets the time between the rendering of sound and its playback, in seconds.
  ///
  /// A play that arrives with less time until its beat comes too late.
  package mutating func setSoundLead(_ seconds: Double) { roster.setSoundLead(seconds) }

  /// Ignores all programs of a member's installation, also after a restart of these programs, or stops ignoring them.
  ///
  /// The member stays in the roster. It still shares the clock and the rhythm.
  package mutating func setIgnored(_ isIgnored: Bool, _ id: MemberID) throws(SessionRefusal) {
    try roster.setIgnored(isIgnored, id)
  }

  /// Sends a goodbye to all members.
  package mutating func leave(now: HostTime) {
    // Messages that wait to be gathered with others go first.
    delivery.flush(view(now), &out)
    roster.leave(&out)
    drain(at: now)
  }

  /// Asks all programs on the network for the members of this room, or of any room.
  package mutating func ask(anyRoom: Bool = false) {
    roster.ask(anyRoom: anyRoom, &out)
    drain(at: latest)
  }

  /// Adds an address at which a member may be, from a directory such as Avahi.
  ///
  /// This member sends hellos to the address until the other member answers.
  package mutating func add(_ hint: PeerCandidate, now: HostTime) {
    roster.add(hint, now: now)
  }

  /// Removes an address that a directory such as Avahi no longer lists.
  ///
  /// If the member at this address is in the room, the member stays in the room while it is heard.
  package mutating func forget(_ hint: PeerCandidate) { roster.forget(hint) }

  /// Replaces the typed addresses, at which this member looks for other members.
  ///
  /// - Returns: whether a member of the room is at one of the new addresses.
  package mutating func setTyped(_ endpoints: [SessionEndpoint]) -> Bool {
    roster.setTyped(endpoints)
  }

  /// Asks all members for the health of their machines; `health(of:)` returns the answers.
  package mutating func beginCheck(now: HostTime) {
    healthCheck = HealthCheck(among: members.count, now: now)
  }
}
