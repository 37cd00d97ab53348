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

  static let everyone = crowd(.everyone)
  static let others = crowd(.others)
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

/// A play that this member received, and the time at which it sounds.
public struct SessionHeard: Hashable, Sendable {
  /// The member that sent the play; it can be this member.
  public var from: MemberID
  /// The play.
  public var play: SessionPlay
  /// The time at which the play sounds on this machine.
  ///
  /// If the play came too late, this is the time at which it should have sounded.
  public var time: HostTime
  /// The beat for which the play was meant; nil for immediately.
  public var beat: Double?
  /// The lateness of the play in seconds; 0 if the play came in time.
  ///
  /// The value is infinite if the music never reaches the beat of the play.
  public var late: Double
  /// The weight of the gate that the play passed, 0…1.
  ///
  /// The strength of the play (force, velocity or activity) is already multiplied by this weight. A change of a
  /// parameter is not multiplied: the parameter moves by this fraction of the way to its new value.
  public var weight: Float

  /// Creates a received play from its parts, as a room or a tape delivers it.
  public init(
    from: MemberID, play: SessionPlay, time: HostTime, beat: Double? = nil, late: Double = 0,
    weight: Float = 1
  ) {
    (self.from, self.play, self.time) = (from, play, time)
    (self.beat, self.late, self.weight) = (beat, late, weight)
  }
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
