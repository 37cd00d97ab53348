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
  /// The level to which the instrument was set last, 0…1, and the time of this level.
  private(set) var level: (value: Float, time: HostTime) = (1, .distantPast)
  private var members: Set<MemberID> = []
  /// Whether the part is a shared drum pattern, and the last member that played it has left.
  private var hasEnded = false
  private let names: Set<String>
  private let isPattern: Bool

  private static let most = 4096

  /// - Parameters:
  ///   - names: the names of the instruments of the part.
  ///   - isPattern: whether the part is a shared drum pattern.
  init(_ names: Set<String>, isPattern: Bool) {
    (self.names, self.isPattern) = (isPattern ? ReplayPart.drums : names, isPattern)
  }

  /// Forgets the members, since the tape goes on in another room.
  mutating func reset() { (members, hasEnded) = ([], false) }

  /// Follows the instrument that a member reports.
  ///
  /// A shared drum pattern sounds on the machines of the members that report a drum machine. The members that change the
  /// pattern are not known: any member may forward the changes of another.
  mutating func follow(_ member: SessionTapeMember) {
    if member.isHere, !member.plays.isEmpty, names.contains(member.plays) {
      insert(member.member)
      hasEnded = false
    } else if !member.isHere || isPattern, members.remove(member.member) != nil {
      // A member that reports another instrument may still play the pattern.
      hasEnded = isPattern && !member.isHere && members.isEmpty
    }
  }

  /// Adds the sender of a play; returns whether the member is new.
  ///
  /// A member that only strikes a drum has no machine on which a shared drum pattern sounds.
  mutating func addSender(_ member: MemberID, of play: SessionPlay) -> Bool {
    !isPattern && play.makesSound && insert(member)
  }

  /// Returns the level that the instrument must have, 0…1: the highest level of its members.
  func wanted(_ levels: ReplayLevels) -> Float {
    if levels.isSilenced { return 0 }
    if let highest = members.lazy.map({ levels.level(of: $0) }).max() { return highest }
    // Without members, what still rings keeps its level.
    return isPattern ? (hasEnded ? 0 : 1) : level.value
  }

  /// Stores the level to which the instrument was set.
  mutating func set(_ value: Float, at time: HostTime) { level = (value, time) }

  @discardableResult
  private mutating func insert(_ member: MemberID) -> Bool {
    members.count < Self.most && members.insert(member).inserted
  }
}
