/// What a part of a room is like, by the word of its keeper: whether its members leave it for another.
///
/// - Thread: any; a plain value.
public struct PartStanding: Hashable, Sendable {
  /// Whether its rhythm runs.
  public var isPlaying = false
  /// Who may conduct in it, as `SessionPolicy.rank`: 2 for one installation alone, 1 if gates are stated, else 0.
  public var rank: Int32 = 0
  /// How many are in it, the keeper too.
  public var members: Int32 = 1
  /// Whether its keeper hears a member that may conduct in it, or is such a member.
  var hasConductor = false
  /// A digest of 28 bits of who may conduct in it: see `SessionPolicy.digest`.
  var rules: UInt32 = 0

  /// A part from its figures.
  public init(isPlaying: Bool = false, rank: Int32 = 0, members: Int32 = 1) {
    (self.isPlaying, self.rank, self.members) = (isPlaying, rank, members)
  }

  /// Whether the members of this part go over to another by themselves.
  ///
  /// Never from a rhythm that runs, nor to where fewer rules hold or others of the same rank, nor, to a rhythm that
  /// runs, to where fewer members are. Of two silent parts the larger goes on, of two as large the older.
  ///
  /// - Parameter isOlder: whether the other part is the older.
  func yields(to other: PartStanding, isOlder: Bool) -> Bool {
    guard !isPlaying, other.rank > rank || other.rank == rank && other.rules == rules else { return false }
    if other.isPlaying { return other.members >= members }
    return (other.rank, other.members, isOlder ? 1 : 0) > (rank, members, 0)
  }

  /// In a number: the rank, 4 while it plays, 8 if a member is there that may conduct, and above these bits the digest
  /// of its rules.
  var bits: Int32 { Int32(bitPattern: rules << 4) | rank | (isPlaying ? 4 : 0) | (hasConductor ? 8 : 0) }

  init(bits: Int32, members: Int32) {
    self.init(isPlaying: bits & 4 != 0, rank: min(2, bits & 3), members: max(1, min(members, 257)))
    (hasConductor, rules) = (bits & 8 != 0, UInt32(bitPattern: bits) >> 4)
  }
}

/// Another part of the room that goes on beside ours, since neither leaves its music by itself.
public struct OtherPart: Hashable, Sendable {
  /// Its clock.
  public var lineage: MemberID
  /// The keeper of its clock.
  public var keeper: MemberID
  /// What it is like.
  public var standing: PartStanding
}
