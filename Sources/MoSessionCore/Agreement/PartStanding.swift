/// A description of a part of a room, by the keeper of that part's clock.
///
/// The description decides whether the members of this part join another part.
///
/// - Thread: any; a plain value.
public struct PartStanding: Hashable, Sendable {
  /// Whether the part's rhythm runs.
  public var isPlaying = false
  /// The rank of the part's `SessionPolicy`: 2 if only one installation may conduct, 1 if gates are set, else 0.
  public var rank: Int32 = 0
  /// The number of the part's members, the keeper included.
  public var members: Int32 = 1
  /// Whether the keeper of the part may conduct in the part, or hears a member that may.
  var hasConductor = false
  /// A 28-bit digest of the part's rules for the right to conduct: see `SessionPolicy.digest`.
  var rules: UInt32 = 0

  /// Creates a standing from its values.
  public init(isPlaying: Bool = false, rank: Int32 = 0, members: Int32 = 1) {
    (self.isPlaying, self.rank, self.members) = (isPlaying, rank, members)
  }

  /// Returns whether the members of this part join another part automatically.
  ///
  /// They never leave a running rhythm. They never join a part with weaker rules, or with other rules of the same rank.
  /// They never join a running rhythm of a part with fewer members. If no rhythm runs in either part, the stricter part
  /// remains. If both are equally strict, the larger part remains; if both are equally large, too, the older part
  /// remains.
  ///
  /// - Parameter isOlder: whether the other part is the older.
  func yields(to other: PartStanding, isOlder: Bool) -> Bool {
    guard !isPlaying, other.rank > rank || other.rank == rank && other.rules == rules else { return false }
    if other.isPlaying { return other.members >= members }
    return (other.rank, other.members, isOlder ? 1 : 0) > (rank, members, 0)
  }

  /// The wire format: the rank, plus 4 if `isPlaying` is true, plus 8 if `hasConductor` is true.
  ///
  /// The digest of the part's rules is in the upper 28 bits.
  var bits: Int32 { Int32(bitPattern: rules << 4) | rank | (isPlaying ? 4 : 0) | (hasConductor ? 8 : 0) }

  init(bits: Int32, members: Int32) {
    self.init(isPlaying: bits & 4 != 0, rank: min(2, bits & 3), members: max(1, min(members, 257)))
    (hasConductor, rules) = (bits & 8 != 0, UInt32(bitPattern: bits) >> 4)
  }
}

/// Another part of the room that plays separately from ours.
///
/// The two parts do not join automatically: each part keeps its own music. They join only if a member calls
/// `joinOtherPart`.
public struct OtherPart: Hashable, Sendable {
  /// The identity of the other part's clock: the ID of the clock's founder.
  public var lineage: MemberID
  /// The keeper of the other part's clock.
  public var keeper: MemberID
  /// The keeper's description of the other part.
  public var standing: PartStanding
}
