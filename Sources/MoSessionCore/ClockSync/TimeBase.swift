import MoCore

/// The identity of a shared clock: its founding and its keeper.
///
/// At first, the founder's clock defines the shared time. If the keeper has gone, another member becomes the keeper
/// and continues the clock at the rate that it has measured. The `lineage` then stays the same, and the `term`
/// increases by 1.
public struct TimeBase: Hashable, Sendable {
  /// The founder's ID; members with different lineages have never shared a clock.
  public var lineage: MemberID
  /// The time of the founding, in seconds since 1970 by the founder's calendar clock.
  public var founded: Int64
  /// The number of keepers before the present keeper.
  public var term: UInt32
  /// The member whose clock now defines the shared time.
  public var keeper: MemberID

  /// Creates a base from its parts.
  public init(lineage: MemberID, founded: Int64, term: UInt32, keeper: MemberID) {
    (self.lineage, self.founded, self.term, self.keeper) = (lineage, founded, term, keeper)
  }

  /// Returns whether this base is older than another of the same lineage; if both keepers are here, the older is used.
  ///
  /// If a cut-off part of the room chose its own keeper, all members return to the first one.
  func precedes(_ other: TimeBase) -> Bool { (term, keeper) < (other.term, other.keeper) }
}

/// A planned merge with a part of the room that has another clock.
struct Merge: Hashable, Sendable {
  var base: TimeBase
  /// The version of its state, as its members report it.
  var version: StateVersion
  /// The member from which its time is read; nil while none is heard.
  var source: MemberID?
  /// The time at which it was first heard of.
  var begun: HostTime
  /// The time of the merge; nil while the other clock is still being measured.
  var at: HostTime?

  /// Seconds in which a part must be ready to be joined, and for which it is ignored if it was not.
  static let timeout = 5.0
  static let pause = 60.0
}

extension TimeBase {
  /// Returns whether it was founded earlier; if both were founded at the same time, the lower lineage counts as older.
  func isOlder(than other: TimeBase) -> Bool { (founded, lineage) < (other.founded, other.lineage) }
}
