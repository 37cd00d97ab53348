import MoCore

/// A member as it is shown.
public struct SessionMember: Hashable, Sendable {
  /// Who it is.
  public var identity: SessionIdentity
  /// Its name, with a number where several have the same.
  public var displayName: String
  /// Where it is.
  public var endpoint: SessionEndpoint?
  /// How it was found; nil for oneself.
  public var rung: Rung?
  /// How well it keeps time.
  public var report: Report
  /// How much it moves, 0…1, as it said in the last second or so.
  public var activity: Float
  /// What it plays, such as `harp`; empty where it does not say.
  public var plays: String
  /// How many messages that we played for it it has not got since it is here: see `SessionEvent.undelivered`.
  public var missed = 0
  /// Whether its clock is the room's.
  public var isKeeper: Bool
  /// Whether it conducts.
  public var isConductor: Bool
  /// Whether it is ignored here.
  public var isIgnored: Bool
  /// Whether this is oneself.
  public var isMe: Bool
}

extension SessionCore {
  /// Everybody who is to be shown, oneself among them, by name.
  package func roster(at now: HostTime) -> [SessionMember] {
    let conductor = conductor(at: now)
    var list = [
      SessionMember(
        identity: settings.identity, displayName: "", endpoint: nil, rung: nil, report: report(at: now),
        activity: activity.mine ?? 0, plays: settings.plays, isKeeper: isKeeper, isConductor: conductor == me,
        isIgnored: false, isMe: true)
    ]
    for (id, member) in members where !member.isHidden {
      list.append(
        SessionMember(
          identity: member.identity, displayName: "", endpoint: member.endpoint, rung: member.rung,
          report: member.report, activity: member.activity, plays: member.plays,
          missed: play.losses[id]?.total ?? 0, isKeeper: base?.keeper == id,
          isConductor: conductor == id,
          isIgnored: member.isIgnored, isMe: false))
    }
    for index in list.indices {
      list[index].displayName = displayName(of: list[index].identity)
    }
    func place(_ member: SessionMember) -> (String, Int, MemberID) {
      let identity = member.identity
      return (identity.name, names.number(of: identity.member), identity.member)
    }
    return list.sorted { place($0) < place($1) }
  }

  /// The name of a member as screens show it; nil for a hidden or an unknown member.
  package func displayName(of id: MemberID) -> String? {
    if id == me { return displayName(of: settings.identity) }
    return members[id].flatMap { $0.isHidden ? nil : displayName(of: $0.identity) }
  }

  private func displayName(of identity: SessionIdentity) -> String {
    names.name(of: identity.member) ?? identity.name
  }

  /// Says what is played here, which others then see; cut to 40 characters.
  package mutating func setPlays(_ instrument: String) { settings.plays = SessionIdentity.tidy(instrument) }

  /// Other rooms nearby, and how many members were heard in each.
  package var otherRooms: [(name: String, members: Int)] { rooms.list }

  /// Does what a member asks for no more, or again: all programs of its installation, also once they start anew.
  ///
  /// It stays in the roster, and whose clock and whose rhythm is gone by does not depend on it: the room stays one.
  package mutating func setIgnored(_ isIgnored: Bool, _ id: MemberID) throws(SessionRefusal) {
    guard let installation = members[id]?.identity.installation else { throw .unknownMember(id) }
    if isIgnored { settings.ignored.insert(installation) } else { settings.ignored.remove(installation) }
    for index in members.indices where members.values[index].identity.installation == installation {
      members.values[index].isIgnored = isIgnored
    }
  }

  /// Says goodbye to everybody.
  package mutating func leave(now: HostTime) {
    // What waits to go with others goes first.
    play.nextSend = .distantPast
    tellPlayers(at: now)
    let bye = SessionMessage.bye(room: settings.room, from: me)
    for id in members.keys.sorted() {
      if let member = members[id] { send(bye, to: member.endpoint) }
    }
    call(bye)
  }

  /// Asks who is there, in this room or in any.
  package mutating func ask(anyRoom: Bool = false) {
    if anyRoom { listsRooms = true }
    call(.who(room: anyRoom ? "*" : settings.room))
  }
}
