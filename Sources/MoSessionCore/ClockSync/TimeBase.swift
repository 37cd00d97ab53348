/// Whose clock the room goes by.
///
/// The founder's clock defines the shared time. Where a keeper is gone, another carries on at the rate it has
/// learned: the lineage stays, the term counts up.
public struct TimeBase: Hashable, Sendable {
  /// The founder: members of different lineages have never shared a clock.
  public var lineage: MemberID
  /// When the lineage was founded, in seconds since 1970 by the founder's calendar.
  public var founded: Int64
  /// Counts the keepers.
  public var term: UInt32
  /// Whose clock is measured.
  public var keeper: MemberID

  /// A base from its parts.
  public init(lineage: MemberID, founded: Int64, term: UInt32, keeper: MemberID) {
    (self.lineage, self.founded, self.term, self.keeper) = (lineage, founded, term, keeper)
  }

  /// Whether this one is followed rather than another of the same lineage, both keepers being there: the older.
  ///
  /// When a part of the room was cut off and chose a keeper of its own, everybody comes back to the first.
  func precedes(_ other: TimeBase) -> Bool { (term, keeper) < (other.term, other.keeper) }
}
