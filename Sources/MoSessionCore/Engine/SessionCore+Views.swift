import MoCore

/// A member as it is shown.
public struct SessionMember: Hashable, Sendable {
  /// Who it is.
  public var identity: SessionIdentity
  /// Its name, with a number if several have the same.
  public var displayName: String
  /// Where it is.
  public var endpoint: SessionEndpoint?
  /// How it was found; nil for this member.
  public var method: DiscoveryMethod?
  /// How well it keeps time.
  public var report: Report
  /// How much it moves, 0…1, as it said in the last second or so.
  public var activity: Float
  /// What it plays, such as `harp`; empty if it does not say.
  public var plays: String
  /// How many messages that we played for it it has not got since it is here: see `SessionEvent.undelivered`.
  public var missed = 0
  /// Whether its clock is the room's.
  public var isKeeper: Bool
  /// Whether it conducts.
  public var isConductor: Bool
  /// Whether it is ignored here.
  public var isIgnored: Bool
  /// Whether it is this member itself.
  public var isMe: Bool
  /// Whether it keeps a tape of what it hears.
  public var isRecording = false
}

/// A member hears no other member any more, although not all have said goodbye: it is cut off, or they are.
public struct LostContact: Hashable, Sendable {
  /// Seconds since any member was heard, at least 1.8.
  public var seconds: Double
  /// How far this member's beat may be off by now, in milliseconds; nil if the room follows its clock.
  public var boundMilliseconds: Double?
}

/// What the program sees of the session.
extension SessionCore {
  /// How it takes part.
  package var settings: Settings {
    var settings = roster.settings
    settings.only = agreement.reserved
    return settings
  }
  /// The beat, as it is to be shown and played now.
  package var beatClock: BeatClock { clock.beatClock }
  /// What everybody agrees on, as far as is known here.
  package var state: SessionState { agreement.state }
  /// Whose clock holds; nil before a room has been found or founded.
  package var base: TimeBase? { clock.base }
  /// What came, and what became of it.
  package var counts: SessionCounts { out.counts }
  /// Members on different machines that have one installation.
  package var sharedInstallations: [SharedInstallation] { roster.sharedInstallations }

  var me: MemberID { roster.me }
  var members: [MemberID: Member] { roster.members }
  var isKeeper: Bool { clock.isKeeper }
  var isSynced: Bool { clock.isSynced }
  var brief: Brief { clock.brief(agreement.state.version, roster) }

  /// Whether the room's clock is known, and all that others here know of the music.
  package var hasArrived: Bool {
    isSynced
      && members.values.allSatisfy {
        $0.brief.base?.lineage != base?.lineage || $0.brief.version <= state.version
          || $0.brief.version == agreement.beside?.state?.version
      }
  }

  // MARK: clock and rhythm

  /// How far the shared clock shown here may be from the keeper's, in nanoseconds.
  package func errorBound(at now: HostTime) -> Double { clock.errorBound(roster, at: now) }

  /// How well the shared clock is kept.
  package func report(at now: HostTime) -> Report { clock.report(roster, at: now) }

  /// The member that conducts, if it is here.
  public func conductor(at now: HostTime) -> MemberID? {
    state.conductor.flatMap { roster.isHere($0, at: now) ? $0 : nil }
  }

  /// The rhythm as it was announced last, which counts for the next wish: what is heard follows it.
  package var announced: AnnouncedRhythm { agreement.announced }

  /// How much is played now: the level 1…5 and how much all move together; the same for all in each bar.
  package func pattern(at now: HostTime) -> PatternPlan.Entry {
    guard let bar = beatClock.position(at: now)?.bar else { return PatternPlan().last }
    return state.pattern.entry(inBar: bar)
  }

  /// The part of the room that goes on beside ours; nil for none.
  public var partBeside: OtherPart? { agreement.partBeside }

  // MARK: members

  /// All members that are shown, this one among them, by name.
  package func roster(at now: HostTime) -> [SessionMember] {
    let conductor = conductor(at: now)
    var list = [
      SessionMember(
        identity: roster.settings.identity, displayName: "", endpoint: nil, method: nil,
        report: report(at: now),
        activity: activity.mine ?? 0, plays: roster.settings.plays, isKeeper: isKeeper,
        isConductor: conductor == me, isIgnored: false, isMe: true, isRecording: observer != nil)
    ]
    for (id, member) in members where !member.isHidden {
      list.append(
        SessionMember(
          identity: member.identity, displayName: "", endpoint: member.endpoint, method: member.method,
          report: member.report, activity: member.activity, plays: member.plays,
          missed: delivery.losses[id]?.total ?? 0, isKeeper: base?.keeper == id,
          isConductor: conductor == id, isIgnored: member.isIgnored, isMe: false,
          isRecording: member.isRecording))
    }
    for index in list.indices { list[index].displayName = roster.displayName(of: list[index].identity) }
    func place(_ member: SessionMember) -> (String, Int, MemberID) {
      let identity = member.identity
      return (identity.name, roster.names.number(of: identity.member), identity.member)
    }
    return list.sorted { place($0) < place($1) }
  }

  /// The name of a member as screens show it; nil for a hidden or an unknown member.
  package func displayName(of id: MemberID) -> String? { roster.displayName(of: id) }

  /// The installation of a member that is here; `nobody` for all.
  package func installation(_ id: MemberID?) throws(SessionRefusal) -> MemberID {
    try roster.installation(id)
  }

  /// Whether a member is not known to be in the room.
  package func isMissing(_ id: MemberID) -> Bool { roster.isMissing(id) }

  /// Other rooms nearby, and how many members were heard in each.
  package var otherRooms: [(name: String, members: Int)] { roster.rooms.list }

  /// Members of the last ten seconds whose version of the protocol is not understood here, by address.
  package var foreigners: [ForeignMember] { roster.otherVersions.members.map(\.member) }

  /// How many members of the room others hear and this member does not.
  ///
  /// It is in time with them, since others pass that on; what is played does not get from one to the other.
  package var outOfReach: Int { roster.absentees.count }

  /// How long no member has been heard; nil while one is, before one was, and a quarter of an hour after.
  package func lostContact(at now: HostTime) -> LostContact? {
    guard let lastContact = roster.lastContact, case let seconds = now.seconds(since: lastContact),
      seconds >= Roster.absence, seconds < MemberNames.memory
    else { return nil }
    let bound = errorBound(at: now) * 1e-6
    return LostContact(seconds: seconds, boundMilliseconds: isKeeper || !bound.isFinite ? nil : bound)
  }

  /// The members that were gone without a word in the last quarter of an hour, and have not come back.
  package func missing(at now: HostTime) -> [UnconfirmedMember] {
    roster.names.vanished(at: now).sorted { ($0.name, $0.member) < ($1.name, $1.member) }
  }

  // MARK: a check before a concert

  /// What a member has said of its machine in the last check, or this member says; nil if it did not answer.
  package func health(of id: MemberID) -> MemberHealth? {
    id == me ? roster.settings.health : checkup?.answers[id]
  }

  /// Whether a check has been begun.
  package var isChecking: Bool { checkup != nil }

  /// Seconds since the last check was begun; nil before one was.
  package func sinceCheck(at now: HostTime) -> Double? { checkup.map { now.seconds(since: $0.begun) } }

  /// Whether everybody has answered the last check, or has been waited for long enough.
  package func hasChecked(at now: HostTime) -> Bool {
    checkup?.isDone(among: members.keys, at: now) ?? false
  }

  // MARK: what is heard

  /// Removes and returns what was played for us, in the order in which it became due.
  ///
  /// It is handed over 0.15 s before its beat, or as it comes; a cue as it comes, however far its beat is.
  package mutating func drainHeard() -> [SessionHeard] { delivery.drainHeard() }

  /// Whether what a member plays is heard: it is here, not ignored, and neither it nor the room is silenced.
  package func isHeard(_ id: MemberID, at now: HostTime) -> Bool {
    guard roster.isHere(id, at: now), members[id]?.isIgnored != true, !isSilenced else { return false }
    return (try? installation(id)).map { !isMuted($0, at: now) } ?? true
  }

  /// Whether the room is silent: a call for silence holds, and nothing that is played sounds.
  package var isSilenced: Bool { agreement.silence.holding != nil }

  /// The member whose call for silence holds, and since when; nil while sound is allowed.
  package var silenced: (by: MemberID, since: HostTime)? {
    agreement.silence.holding.map { ($0.caller, $0.since) }
  }

  // MARK: what is shared, and sections

  /// Whether all that the room shares is known here: a newcomer sets nothing of its own before.
  package var knowsShared: Bool { sharing.isKnown(clock) }

  /// All that is set of something that is shared, by its keys.
  package func shared(_ name: String) -> [SharedEdit] { sharing.store.edits(of: name) }

  /// All that is shared, in as many messages as it takes.
  package var allShared: [SharedEdits] { sharing.store.messages }

  func sectionView(_ now: HostTime) -> Sections {
    Sections(store: sharing.store, agreement: agreement, room: view(now))
  }

  /// The names of the sections that a member was assigned to.
  package var sections: [String] { sectionView(latest).names }

  /// The installations in a section.
  package func section(_ name: String) -> [MemberID] { sectionView(latest).installations(in: name) }

  /// Everybody that was assigned to a section, whether here or not, and how each does, as it is seen from here: by name.
  ///
  /// - Throws: `SessionRefusal.unknownSection`.
  package func sectionRoster(_ section: String, at now: HostTime) throws(SessionRefusal) -> [SectionPlace] {
    try sectionView(now).roster(of: section)
  }

  /// How loud all is to be that is played here, 0…1, by the sections that one is in: as the quietest of them; 1 in none.
  package var sectionLevel: Float {
    guard !state.policy.sections.entries.isEmpty else { return 1 }
    return sectionView(latest).level(of: roster.settings.identity.installation)
  }

  /// The muted sections that this member is in.
  package var mutedSections: [String] { sectionView(latest).muted(of: roster.settings.identity.installation) }

  /// Whether a section that an installation is in is muted: what its members play sounds on no machine.
  func isMuted(_ installation: MemberID, at now: HostTime) -> Bool {
    guard state.policy.sections.entries.contains(where: \.isMuted) else { return false }
    return !sectionView(now).muted(of: installation).isEmpty
  }
}
