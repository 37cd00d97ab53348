import MoCore
import MoOrchestra

/// The levels at which the parts of a tape sound: those that the conductor set for sections, and 0 during a silence.
///
/// In the room, a level applies to all sounds of a member's machine. In a replay, the instrument of a part has the
/// highest level of the members that play this part. The notes of the other members of the part are weaker.
struct ReplayLevels {
  /// Whether the tape is in a silence, so that no part sounds.
  var isSilenced = false
  /// The members that are in the room, as the tape last described them.
  private(set) var members: [MemberID: SessionTapeMember] = [:]

  private static let most = 4096

  /// Updates a member; returns whether its notes end here, since it has left or has level 0.
  mutating func update(_ member: SessionTapeMember) -> Bool {
    guard member.isHere else {
      members[member.member] = nil
      return true
    }
    let before = members[member.member]
    guard before != nil || members.count < Self.most else { return false }
    members[member.member] = member
    return member.level == 0 && before?.level != 0
  }

  /// Returns a member's level, 0…1; 1 for an unknown member.
  func level(of member: MemberID) -> Float { members[member]?.level ?? 1 }
}

/// The members that play a part of a tape, and the level of its instrument.
struct PartPlayers {
  /// The level to which the instrument was set last, 0…1.
  var level: Float = 1
  private var members: Set<MemberID> = []
  /// Whether the part is a shared drum pattern, and a member has reported that it plays this pattern.
  private var hasDrummers = false
  private let isPattern: Bool

  private static let most = 4096

  /// - Parameter isPattern: whether the part is a shared drum pattern.
  init(isPattern: Bool) { self.isPattern = isPattern }

  /// Forgets the members, since the tape goes on in another room.
  mutating func reset() { (members, hasDrummers) = ([], false) }

  /// Adds a member that reports an instrument of this part.
  mutating func addReport(_ member: MemberID) {
    if isPattern { hasDrummers = true }
    insert(member)
  }

  /// Adds the sender of a play.
  ///
  /// A shared drum pattern belongs to the members that change it or report it. A member that only strikes a drum has no
  /// machine on which the pattern sounds.
  ///
  /// - Returns: whether the member is new.
  mutating func addSender(_ member: MemberID, of play: SessionPlay) -> Bool {
    if case .cells = play { return isPattern && insert(member) }
    return !isPattern && play.makesSound && insert(member)
  }

  /// Removes a member that has left.
  mutating func remove(_ member: MemberID) { members.remove(member) }

  /// Returns the level that the instrument must have, 0…1: the highest level of its members.
  func wanted(_ levels: ReplayLevels) -> Float {
    if levels.isSilenced { return 0 }
    if members.isEmpty, hasDrummers { return 0 }
    return members.lazy.map { levels.level(of: $0) }.max() ?? 1
  }

  @discardableResult
  private mutating func insert(_ member: MemberID) -> Bool {
    members.count < Self.most && members.insert(member).inserted
  }
}
