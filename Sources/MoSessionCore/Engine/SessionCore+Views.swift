import MoCore

/// The session's state, as the program sees it.
extension SessionCore {
  /// The settings with which this member takes part.
  package var settings: Settings {
    var settings = roster.settings
    settings.only = agreement.reserved
    return settings
  }
  /// The clock that gives the beat to show and play now.
  package var beatClock: BeatClock { clock.beatClock }
  /// The room's agreed state (conductor, timeline, gates and section levels), as far as this member knows it.
  package var state: SessionState { agreement.state }
  /// The clock that this member follows; nil before a room has been found or founded.
  package var base: TimeBase? { clock.base }
  /// The numbers of datagrams, messages and plays, by result.
  package var counts: SessionCounts { out.counts }
  /// Members on different machines that have the same installation.
  package var sharedInstallations: [SharedInstallation] { roster.sharedInstallations }

  package var me: MemberID { roster.me }
  package var members: [MemberID: Member] { roster.members }
  package var isKeeper: Bool { clock.isKeeper }
  var isSynced: Bool { clock.isSynced }
  var summary: StateSummary { clock.summary(agreement.state.version, roster) }

  /// Whether this member knows the room's clock, and no other member of our part of the room knows a newer state.
  package var hasArrived: Bool {
    isSynced
      && members.values.allSatisfy {
        $0.summary.base?.lineage != base?.lineage || $0.summary.version <= state.version
          || $0.summary.version == agreement.separatePart?.state?.version
      }
  }

  // MARK: clock and rhythm

  /// Returns the largest difference, in nanoseconds, between the shared clock on this machine and the keeper's clock.
  package func errorBound(at now: HostTime) -> Double { clock.errorBound(roster, at: now) }

  /// Returns the accuracy of the shared clock.
  package func report(at now: HostTime) -> Report { clock.report(roster, at: now) }

  /// Returns the conductor; nil if no member conducts, or if this member does not hear the conductor now.
  ///
  /// A conductor that follows a separate part of the room does not count.
  public func conductor(at now: HostTime) -> MemberID? { agreement.conductor(view(now)) }

  /// Returns the reason why this member may not conduct now; nil if this member may.
  package func refusal(at now: HostTime) -> SessionRefusal? {
    do throws(SessionRefusal) {
      try agreement.mayConduct(view(now))
      return nil
    } catch {
      return error
    }
  }

  /// The rhythm after all announced changes; the audible rhythm changes later, usually within a bar.
  ///
  /// The next change starts from the announced rhythm, not from the audible rhythm.
  package var announced: AnnouncedRhythm { agreement.announced }

  /// Returns the complexity of the pattern now, 1…5, and the mean activity of the members, 0…1.
  ///
  /// In each bar, both values are the same on all members.
  package func pattern(at now: HostTime) -> PatternPlan.Entry {
    guard let bar = beatClock.position(at: now)?.bar else { return PatternPlan().last }
    return state.pattern.entry(inBar: bar)
  }

  /// The part of the room that plays separately from ours; nil for none.
  public var partBeside: OtherPart? { agreement.reportedPart }

  // MARK: members

  /// Returns all members that are shown, including this member, sorted by name.
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

  /// Returns the name of a member as screens show it; nil for a hidden or unknown member.
  package func displayName(of id: MemberID) -> String? { roster.displayName(of: id) }

  /// Returns the name of a hidden member that is here, such as `momu session panic`; nil for any other member.
  package func hiddenName(of id: MemberID) -> String? {
    roster.members[id].flatMap { $0.isHidden ? roster.displayName(of: $0.identity) : nil }
  }

  /// Returns the installation of a member that is here; `nobody` if the argument is nil.
  package func installation(_ id: MemberID?) throws(SessionRefusal) -> MemberID {
    try roster.installation(id)
  }

  /// Returns whether a member is not known to be in the room.
  package func isMissing(_ id: MemberID) -> Bool { roster.isMissing(id) }

  /// Other rooms nearby, and the number of members heard in each.
  package var otherRooms: [(name: String, members: Int)] { roster.rooms.list }

  /// Returns the members that use another version of the protocol and were heard in the last ten seconds.
  package func foreigners(at now: HostTime) -> [ForeignMember] { roster.otherVersions.members(at: now) }

  /// The number of members that other members of the room hear and this member does not.
  ///
  /// This member stays in time with those members, since others relay their time. Played messages do not pass between
  /// this member and those members.
  package var outOfReach: Int { roster.unreachable.count }

  /// Returns whether a member is in a separate part of the room.
  package func isApart(_ id: MemberID, at now: HostTime) -> Bool { agreement.isApart(members[id], view(now)) }

  /// Returns the loss of contact with all other members: its duration, and the largest error of the beat now.
  ///
  /// The result is nil while a member is heard, if no member was ever heard, and if all members have said goodbye. It
  /// is also nil when the loss has lasted for a quarter of an hour.
  package func lostContact(at now: HostTime) -> LostContact? {
    guard let lastContact = roster.lastContact, case let seconds = now.seconds(since: lastContact),
      seconds >= Roster.absence, seconds < MemberNames.memory
    else { return nil }
    let bound = errorBound(at: now) * 1e-6
    return LostContact(seconds: seconds, boundMilliseconds: isKeeper || !bound.isFinite ? nil : bound)
  }

  /// Returns the members that vanished in the last quarter of an hour without a goodbye, and have not come back.
  package func missing(at now: HostTime) -> [UnconfirmedMember] {
    roster.names.vanished(at: now).sorted { ($0.name, $0.member) < ($1.name, $1.member) }
  }

  // MARK: a check before a concert

  /// Returns the data about a member's machine: the answer to the last check before a concert; nil without an answer.
  ///
  /// For this member, the result is its own data.
  package func health(of id: MemberID) -> MemberHealth? {
    id == me ? roster.settings.health : healthCheck?.answers[id]
  }

  /// Whether a check before a concert was ever started; the value stays true when the check ends.
  package var isChecking: Bool { healthCheck != nil }

  /// Returns the seconds since the start of the last check before a concert; nil before the first check.
  package func sinceCheck(at now: HostTime) -> Double? { healthCheck.map { now.seconds(since: $0.started) } }

  /// Returns whether all members have answered the last check before a concert, or the check has reached its timeout.
  package func hasChecked(at now: HostTime) -> Bool {
    healthCheck?.isDone(among: members.keys, at: now) ?? false
  }

  // MARK: plays for this member

  /// Removes and returns the plays for this member, in the order in which they became due.
  ///
  /// A play with a beat is delivered 0.15 s before the beat, other plays on arrival. A cue is delivered on arrival,
  /// however far its beat is.
  package mutating func drainHeard() -> [SessionHeard] { delivery.drainHeard() }

  /// Returns whether a member's plays are audible: it is here, not ignored and not muted, and the room is not silent.
  package func isAudible(_ id: MemberID, at now: HostTime) -> Bool {
    guard roster.isHere(id, at: now), members[id]?.isIgnored != true, !isSilenced else { return false }
    return (try? installation(id)).map { !isMuted($0, at: now) } ?? true
  }

  /// Whether a call for silence is in force, so that no play sounds in the room.
  package var isSilenced: Bool { agreement.silence.current != nil }

  /// The member that called for the present silence, and the time of this call; nil while sound is allowed.
  package var silenced: (by: MemberID, since: HostTime)? {
    agreement.silence.current.map { ($0.caller, $0.since) }
  }

  /// Whether the present silence applies to this member alone, since this member has left the part of the room in which
  /// the call was made.
  package var isSilencedAlone: Bool { agreement.silence.current?.isOwn == true }

  // MARK: shared data and sections

  /// Whether all shared data of the room is known here; until then, a newcomer makes no changes of its own.
  package var knowsShared: Bool { sharing.isKnown(clock) }

  /// Returns all cells of the shared settings with this name, sorted by key.
  package func shared(_ name: String) -> [SharedEdit] { sharing.store.edits(of: name) }

  /// All shared data, split into as many messages as needed.
  package var allShared: [SharedEdits] { sharing.store.messages }

  func sectionView(_ now: HostTime) -> Sections {
    Sections(store: sharing.store, agreement: agreement, room: view(now))
  }

  /// Returns whether a change of shared data assigns members to sections, or removes them.
  package static func assignsSections(_ edits: SharedEdits) -> Bool { edits.name.hasPrefix(Sections.prefix) }

  /// The names of all sections that have members assigned.
  package var sections: [String] { sectionView(latest).names }

  /// Returns the installations in a section.
  package func section(_ name: String) -> [MemberID] { sectionView(latest).installations(in: name) }

  /// Returns all installations assigned to a section, with the state of each as seen from here, sorted by name.
  ///
  /// Installations that are not here are included.
  ///
  /// - Throws: `SessionRefusal.unknownSection`.
  package func sectionRoster(_ section: String, at now: HostTime) throws(SessionRefusal) -> [SectionPlace] {
    try sectionView(now).roster(of: section)
  }

  /// The gain of all sounds of this program, 0…1: the lowest level of this member's sections; 1 without a section.
  package var sectionLevel: Float { sectionLevel(of: roster.settings.identity.installation, at: latest) }

  /// Returns the gain of all sounds of an installation's programs, 0…1: the lowest level of the installation's sections;
  /// 1 without a section.
  package func sectionLevel(of installation: MemberID, at now: HostTime) -> Float {
    guard !state.policy.sections.entries.isEmpty else { return 1 }
    return sectionView(now).level(of: installation)
  }

  /// The muted sections that this member is in.
  package var mutedSections: [String] { sectionView(latest).muted(of: roster.settings.identity.installation) }

  /// Returns whether a section of an installation is muted; the plays of the installation's members then sound on no
  /// machine.
  package func isMuted(_ installation: MemberID, at now: HostTime) -> Bool {
    guard state.policy.sections.entries.contains(where: \.isMuted) else { return false }
    return !sectionView(now).muted(of: installation).isEmpty
  }
}
