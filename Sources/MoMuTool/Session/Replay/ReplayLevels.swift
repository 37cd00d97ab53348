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
  private var members: [MemberID: SessionTapeMember] = [:]

  private static let most = 4096

  /// Forgets the members, since the tape goes on in another room.
  mutating func reset() { self = ReplayLevels() }

  /// Updates a member; returns whether its sounds end here, since it has left or its section was muted.
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

  /// Returns the members that now report an instrument with any of these names.
  func players(of names: Set<String>) -> Set<MemberID> {
    Set(members.values.lazy.filter { !$0.plays.isEmpty && names.contains($0.plays) }.map(\.member))
  }

  /// Returns the level of the instrument on which these members play, 0…1: the highest of their levels.
  func level(of players: Set<MemberID>) -> Float {
    isSilenced ? 0 : players.lazy.map { level(of: $0) }.max() ?? 1
  }

  /// Returns whether a member is in the room.
  func has(_ member: MemberID) -> Bool { members[member] != nil }
}
