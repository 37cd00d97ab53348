import MoCore

/// The members of the room: who they are, where they are, and how new ones are found.
struct Roster: Sendable {
  /// How this member takes part.
  var settings: SessionCore.Settings
  var members: [MemberID: Member] = [:]
  var names: MemberNames
  /// Members on different machines that have one installation.
  var sharedInstallations: [SharedInstallation] = []
  /// Limits notices of shared installations: in an open room any sender can claim an installation.
  var sharingNotices = RateLimit()
  var rooms = RoomList()
  /// Whether other rooms are looked for, too.
  var listsRooms = false
  var discovery: Discovery
  var candidates = PeerCandidates()
  /// Members that others tell of and that are not heard here.
  var absentees = Absentees()
  /// Limits answers to questions of who is here.
  var questions = RateLimit()
  var path: ReturnPath
  /// Limits the signatures that are checked.
  var verifications = VerificationLimit()
  /// Limits the hellos that are sent for proofs.
  var welcomes = RateLimit()
  /// The member that the next hello names first.
  var nextTold = MemberID.nobody
  /// When any member was heard last; nil before, and after all have said goodbye.
  var lastContact: HostTime?
  /// No member is due for a question, or lost, before this.
  var nextCheck = HostTime.distantPast
  var otherVersions = ForeignMembers()
  /// When each installation was last heard or seen moving.
  var signs = SectionWatch()

  /// Most members that are kept; more are not heard.
  static let mostMembers = 256
  /// Most members at one address.
  static let mostAtAddress = 16
  /// Most members in one IPv6 network, so that none of its machines can fill the room.
  static let mostInNetwork = 128
  /// Seconds of silence after which the conductor or the keeper counts as gone.
  static let absence = 1.8
  /// Seconds of silence after which they are asked for a sign of life.
  static let doubt = 1.1

  init(_ settings: SessionCore.Settings, now: HostTime) {
    self.settings = settings
    path = ReturnPath(secret: settings.secret)
    names = MemberNames(now: now)
    discovery = Discovery(
      now: now, listening: settings.listening, remembered: settings.remembered, typed: settings.typed)
    self.settings.identity.started = settings.calendar
    if !settings.isHidden { names.note(self.settings.identity, among: [], at: now) }
  }

  var me: MemberID { settings.identity.member }

  /// When something is due.
  var next: HostTime { min(discovery.next, candidates.next) }

  /// The host clock has stepped: moves all times, and calls out.
  mutating func step(by nanoseconds: Int64, to now: HostTime) {
    for index in members.indices { members.values[index].shift(by: nanoseconds) }
    lastContact?.shift(by: nanoseconds)
    candidates.shift(by: nanoseconds)
    names.shift(by: nanoseconds)
    absentees.shift(by: nanoseconds)
    discovery.shift(by: nanoseconds)
    rooms.shift(by: nanoseconds)
    otherVersions.shift(by: nanoseconds)
    signs.shift(by: nanoseconds)
    nextCheck = .distantPast
    discovery.nextHello = now
  }

  /// Forgets rooms and names that were not heard of for long.
  mutating func forgetOld(at now: HostTime) {
    rooms.forget(at: now)
    names.forget(at: now)
  }

  // MARK: questions

  /// Whether a member was heard lately; always true of this member.
  func isHere(_ id: MemberID, at now: HostTime) -> Bool {
    if id == me { return true }
    return members[id].map { isHere($0, at: now) } ?? false
  }

  func isHere(_ member: Member, at now: HostTime) -> Bool {
    now.seconds(since: member.lastHeard) < Self.absence
  }

  /// Whether a member is not known to be in the room.
  func isMissing(_ id: MemberID) -> Bool { id != me && members[id] == nil }

  /// Whether a member is on another machine, though it may have our installation; true for those that have gone.
  func isElsewhere(_ id: MemberID) -> Bool {
    if id == me { return false }
    guard let machine = members[id]?.identity.machine else { return true }
    return machine != 0 && settings.identity.machine != 0 && machine != settings.identity.machine
  }

  /// The installation of a member that is here; `nobody` for all.
  func installation(_ id: MemberID?) throws(SessionRefusal) -> MemberID {
    guard let id else { return .nobody }
    if id == me { return settings.identity.installation }
    guard let member = members[id] else { throw .unknownMember(id) }
    return member.identity.installation
  }

  /// Seconds between calls to all: one, and more if the members are so many that they would fill the air.
  var callInterval: Double { Self.callInterval(among: members.count) }

  static func callInterval(among others: Int) -> Double { max(1, Double(others + 1) / 40) }

  /// The other members that are shown, by their identities.
  var shown: [MemberID] { members.filter { !$0.value.isHidden }.keys.sorted() }

  /// The name of a member as screens show it; nil for a hidden or an unknown member.
  func displayName(of id: MemberID) -> String? {
    if id == me { return displayName(of: settings.identity) }
    return members[id].flatMap { $0.isHidden ? nil : displayName(of: $0.identity) }
  }

  func displayName(of identity: SessionIdentity) -> String {
    names.name(of: identity.member) ?? identity.name
  }

  /// The members that were heard least lately, and those gone without a word, for a member that calls for silence.
  func leastHeard(for caller: MemberID, at now: HostTime) -> [UnconfirmedMember] {
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

  /// Whether a question of who is here is answered now.
  mutating func mayAnswerQuestion(at now: HostTime) -> Bool { questions.allows(at: now) }

  /// Whether a member is told how this machine is: a member that checks asks once, and anybody can ask in its name.
  mutating func mayAskHealth(_ id: MemberID, at now: HostTime) -> Bool {
    members[id]?.checks.allows(at: now, most: 2) == true
  }

  // MARK: wishes

  /// Says what is played here, which others then see; cut to 40 characters.
  mutating func setPlays(_ instrument: String) { settings.plays = SessionIdentity.tidy(instrument) }

  /// Says how this machine is, for members that ask before a concert.
  mutating func setHealth(_ health: MemberHealth) { settings.health = health }

  /// Notes how many seconds of sound are made ahead of being heard.
  mutating func setSoundLead(_ seconds: Double) {
    settings.soundLead = seconds.isFinite ? max(0, min(seconds, 1)) : 0
  }

  /// Calls out to all at once.
  mutating func callOut(at now: HostTime) { discovery.nextHello = min(discovery.nextHello, now) }

  /// Ignores the members of an installation, or no longer, also once they start anew.
  mutating func setIgnored(_ isIgnored: Bool, _ id: MemberID) throws(SessionRefusal) {
    guard let installation = members[id]?.identity.installation else { throw .unknownMember(id) }
    if isIgnored { settings.ignored.insert(installation) } else { settings.ignored.remove(installation) }
    for index in members.indices where members.values[index].identity.installation == installation {
      members.values[index].isIgnored = isIgnored
    }
  }

  /// Says goodbye to everybody.
  func leave(_ out: inout Effects) {
    let bye = SessionMessage.bye(room: settings.room, from: me)
    for id in members.keys.sorted() {
      if let member = members[id] { out.send(bye, to: member.endpoint) }
    }
    out.call(bye)
  }

  /// Asks who is there, in this room or in any.
  mutating func ask(anyRoom: Bool, _ out: inout Effects) {
    if anyRoom { listsRooms = true }
    out.call(.who(room: anyRoom ? "*" : settings.room))
  }
}
