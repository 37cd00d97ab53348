import MoCore

/// A group of receivers: all members of the room that are not hidden, with or without this member.
public enum SessionCrowd: Hashable, Sendable {
  /// All members, including this member.
  case everyone
  /// All members except this member.
  case others
}

/// The receivers of a play (`SessionPlay`).
public enum SessionAim: Hashable, Sendable {
  /// All members that are not hidden, with or without this member.
  case crowd(SessionCrowd)
  /// A single member; the functions `member` return this case.
  case one(MemberChoice)
  /// The members of a section that are in the room now.
  case section(String)
  /// The other members that record a tape.
  ///
  /// MoMu uses this case for notes that sound only on this machine, so that the tapes contain them. If your program
  /// sends a play to `recorders`, the play also sounds on the machines of these members.
  case recorders
}

/// The time at which a play sounds.
public enum SessionMoment: Hashable, Sendable {
  /// When the play arrives.
  case now
  /// At a line of a grid: the first line before which the play can reach all receivers.
  ///
  /// If no rhythm runs, the play sounds immediately.
  case next(BeatGrid)
  /// At a beat of the running rhythm; beat 0 is the start of bar 1.
  case beat(Double)
  /// At a beat of the running rhythm, or soon after it.
  ///
  /// If the beat is too near, the play sounds at the first time by which all receivers have it.
  case soonest(from: Double)
}

/// A member as an argument of a function: given by its display name, by its ID, or as `MoSession.members` lists it.
///
/// ```swift
/// let choice = MemberChoice.member("Ada")
/// ```
public enum MemberChoice: Hashable, Sendable {
  /// The member with the given ID.
  case id(MemberID)
  /// The member with the given display name.
  case name(String)

  /// The member with the given display name.
  public static func member(_ name: String) -> MemberChoice { .name(name) }
  /// The member with the given ID.
  public static func member(_ id: MemberID) -> MemberChoice { .id(id) }
  /// A member from the list `MoSession.members`.
  public static func member(_ member: SessionMember) -> MemberChoice { .id(member.identity.member) }
}

extension SessionAim {
  /// The member with the given display name, as the only receiver.
  public static func member(_ name: String) -> SessionAim { .one(.name(name)) }
  /// The member with the given ID, as the only receiver.
  public static func member(_ id: MemberID) -> SessionAim { .one(.id(id)) }
  /// A member from the list `MoSession.members`, as the only receiver.
  public static func member(_ member: SessionMember) -> SessionAim { .one(.member(member)) }
}

extension SessionCore {
  /// Returns the ID of the chosen member, which must be in the room.
  ///
  /// - Throws: `SessionRefusal.unknownMember`, or `unknownName`, which proposes the nearest name.
  package func member(_ choice: MemberChoice, at now: HostTime) throws(SessionRefusal) -> MemberID {
    switch choice {
    case .id(let id):
      guard id == me || members[id] != nil else { throw .unknownMember(id) }
      return id
    case .name(let name):
      guard let member = ([me] + roster.shown).first(where: { displayName(of: $0) == name }) else {
        throw .unknownName(name, here: roster(at: now).map(\.displayName))
      }
      return member
    }
  }

  /// Returns the installation of the chosen member, which must be in the room.
  ///
  /// - Throws: as `member`.
  package func installation(_ choice: MemberChoice, at now: HostTime) throws(SessionRefusal) -> MemberID {
    let member = try member(choice, at: now)
    return roster(at: now).first { $0.identity.member == member }?.identity.installation ?? member
  }
}
