import MoCore

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
