import MoCore

/// The members of the room, their identities and addresses, and the search for new ones.
package struct Roster: Sendable {
  /// The settings of this member.
  var settings: SessionCore.Settings
  package var members: [MemberID: Member] = [:]
  var names: MemberNames
  /// Members on different machines that have the same installation.
  var sharedInstallations: [SharedInstallation] = []
  /// The limit of events per second that report shared installations: in an open room any sender can claim an
  /// installation.
  var sharingNotices = RateLimit()
  package var rooms = RoomList()
  /// Whether this member also searches for other rooms.
  var listsRooms = false
  var discovery: Discovery
  package var candidates = PeerCandidates()
  /// Members that others report and that are not heard here.
  var unreachable = UnreachableMembers()
  /// The limit of answers per second to programs that ask for the members of a room.
  var questions = RateLimit()
  package var path: ReturnPath
  /// The limit of signature checks per second.
  var verifications = VerificationLimit()
  /// The limit of hellos per second that answer proofs of an address.
  var proofAnswers = RateLimit()
  /// The ID with which the next hello begins its list of other members; `nobody` for the lowest ID.
  var nextRelayed = MemberID.nobody
  /// The time of the last message of any other member; nil before the first message, and when all members have said
  /// goodbye.
  var lastContact: HostTime?
  /// The earliest time at which a silent member may have to be asked for an answer, or may count as lost.
  var nextCheck = HostTime.distantPast
  var otherVersions = ForeignMembers()
  /// The times of the last play and movement of each installation.
  var activityTimes = ActivityTimes()

  /// The largest number of other members; further members are refused.
  package static let mostMembers = 256
  /// The largest number of members at one address of another machine.
  static let mostAtAddress = 16
  /// The largest number of members in one IPv6 network, so that no machine of the network can fill the room.
  static let mostInNetwork = 128
  /// Seconds of silence after which the conductor or the keeper counts as gone.
  static let absence = 1.8
  /// Seconds without a packet after which the conductor or the keeper is asked for an answer.
  static let questionDelay = 1.1

  package init(_ settings: SessionCore.Settings, now: HostTime) {
    self.settings = settings
    path = ReturnPath(secret: settings.secret)
    names = MemberNames(now: now)
    discovery = Discovery(
      now: now, listening: settings.listening, remembered: settings.remembered, typed: settings.typed)
    self.settings.identity.started = settings.calendar
    if !settings.isHidden { names.assign(self.settings.identity, among: [], at: now) }
  }

  package var me: MemberID { settings.identity.member }

  /// The earliest time at which a hello, a broadcast or a probe is due.
  var next: HostTime { min(discovery.next, candidates.next) }

  /// Shifts all times by a step of the host clock, and makes the next hello to all members due at `now`.
  package mutating func step(by nanoseconds: Int64, to now: HostTime) {
    for index in members.indices { members.values[index].shift(by: nanoseconds) }
    lastContact?.shift(by: nanoseconds)
    candidates.shift(by: nanoseconds)
    names.shift(by: nanoseconds)
    unreachable.shift(by: nanoseconds)
    discovery.shift(by: nanoseconds)
    rooms.shift(by: nanoseconds)
    otherVersions.shift(by: nanoseconds)
    activityTimes.shift(by: nanoseconds)
    nextCheck = .distantPast
    discovery.nextHello = now
  }

  /// Removes rooms that were not heard for 10 s, and names of members that have been away for a quarter of an hour.
  mutating func forgetOld(at now: HostTime) {
    rooms.forget(at: now)
    names.forget(at: now)
  }

  // MARK: queries

  /// Returns whether a member was heard in the last 1.8 s (`absence`); always true for this member.
  package func isHere(_ id: MemberID, at now: HostTime) -> Bool {
    if id == me { return true }
    return members[id].map { isHere($0, at: now) } ?? false
  }

  func isHere(_ member: Member, at now: HostTime) -> Bool {
    now.seconds(since: member.lastHeard) < Self.absence
  }

  /// Returns whether a member is not known to be in the room.
  func isMissing(_ id: MemberID) -> Bool { id != me && members[id] == nil }

  /// Returns whether a member is on another machine; true for a member that has left.
  ///
  /// For a present member, the result is false if the `machine` number of either machine is 0. The installation does
  /// not matter.
  func isElsewhere(_ id: MemberID) -> Bool {
    if id == me { return false }
    guard let machine = members[id]?.identity.machine else { return true }
    return machine != 0 && settings.identity.machine != 0 && machine != settings.identity.machine
  }

  /// Returns the installation of a member that is here; `nobody` if the argument is nil.
  func installation(_ id: MemberID?) throws(SessionRefusal) -> MemberID {
    guard let id else { return .nobody }
    if id == me { return settings.identity.installation }
    guard let member = members[id] else { throw .unknownMember(id) }
    return member.identity.installation
  }

  /// Seconds between two hellos of this member to all: 1, or more in a room of over 40 members, to limit the traffic.
  var helloInterval: Double { Self.helloInterval(among: members.count) }

  static func helloInterval(among others: Int) -> Double { max(1, Double(others + 1) / 40) }

  /// The IDs of the other members that are shown, sorted.
  var shown: [MemberID] { members.filter { !$0.value.isHidden }.keys.sorted() }

  /// Returns the name of a member as screens show it; nil for a hidden or unknown member.
  func displayName(of id: MemberID) -> String? {
    if id == me { return displayName(of: settings.identity) }
    return members[id].flatMap { $0.isHidden ? nil : displayName(of: $0.identity) }
  }

  func displayName(of identity: SessionIdentity) -> String {
    names.name(of: identity.member) ?? identity.name
  }

  /// Returns up to eight members that may miss a call for silence: vanished and present members, the longest silent
  /// first.
  ///
  /// - Parameter caller: the member that calls for silence, which is left out.
  func longestSilent(for caller: MemberID, at now: HostTime) -> [UnconfirmedMember] {
    let here = members.filter { !$0.value.isHidden && $0.key != caller }.map { id, member in
      UnconfirmedMember(
        member: id, name: names.name(of: id) ?? member.identity.name,
        silentFor: Int32(clamping: Int(max(0, now.seconds(since: member.lastHeard)))))
    }
    let all = (names.vanished(at: now) + here).sorted {
      ($0.silentFor, $0.member) > ($1.silentFor, $1.member)
    }
    return Array(all.prefix(UnconfirmedMember.most))
  }

  // MARK: limits

  /// Returns whether a program that asks for the list of the room's members may be answered now.
  mutating func mayAnswerQuestion(at now: HostTime) -> Bool { questions.allows(at: now) }

  /// Returns whether this machine's health may be sent to a member now: at most twice a second.
  ///
  /// Any program can forge the sender of a question.
  mutating func maySendHealth(_ id: MemberID, at now: HostTime) -> Bool {
    members[id]?.checks.allows(at: now, most: 2) == true
  }

  // MARK: requests

  /// Sets the name of the instrument that this member plays, which other members see; the name is cut to 40 characters.
  mutating func setPlays(_ instrument: String) { settings.plays = SessionIdentity.sanitized(instrument) }

  /// Sets the health of this machine, for members that ask before a concert.
  mutating func setHealth(_ health: MemberHealth) { settings.health = health }

  /// Sets the time between the rendering of sound and its playback, in seconds, clamped to 0…1.
  mutating func setSoundLead(_ seconds: Double) {
    settings.soundLead = seconds.isFinite ? max(0, min(seconds, 1)) : 0
  }

  /// Makes the next hello to all due immediately.
  mutating func requestHello(at now: HostTime) { discovery.nextHello = min(discovery.nextHello, now) }

  /// Ignores all programs of a member's installation, also after a restart of these programs, or stops ignoring them.
  mutating func setIgnored(_ isIgnored: Bool, _ id: MemberID) throws(SessionRefusal) {
    guard let installation = members[id]?.identity.installation else { throw .unknownMember(id) }
    if isIgnored { settings.ignored.insert(installation) } else { settings.ignored.remove(installation) }
    for index in members.indices where members.values[index].identity.installation == installation {
      members.values[index].isIgnored = isIgnored
    }
  }

  /// Sends all members a goodbye.
  func leave(_ out: inout Effects) {
    let bye = SessionMessage.bye(room: settings.room, from: me)
    for id in members.keys.sorted() {
      if let member = members[id] { out.send(bye, to: member.endpoint) }
    }
    out.multicast(bye)
  }

  /// Asks for the members of this room, or of any room.
  mutating func ask(anyRoom: Bool, _ out: inout Effects) {
    if anyRoom { listsRooms = true }
    out.multicast(.who(room: anyRoom ? "*" : settings.room))
  }
}
