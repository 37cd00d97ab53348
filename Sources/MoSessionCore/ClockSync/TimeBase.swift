import MoCore

/// The shared clock: its founding and its keeper.
///
/// The founder's clock defines the shared time. If a keeper is gone, another carries on at the rate it has
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

/// A part of the room with another clock, about to become one with ours.
struct Merge: Hashable, Sendable {
  var base: TimeBase
  /// The music it is said to have.
  var version: StateVersion
  /// The member that its time is read from; nil while none is heard.
  var source: MemberID?
  /// When it was first heard of.
  var begun: HostTime
  /// When it is done; nil while the other clock is still being measured.
  var at: HostTime?

  /// Seconds in which a part must be ready to be joined, and for which a part that was not is passed over.
  static let timeout = 5.0
  static let pause = 60.0
}

extension TimeBase {
  /// Whether it was founded before another, or comes first of two at once.
  func isOlder(than other: TimeBase) -> Bool { (founded, lineage) < (other.founded, other.lineage) }
}
