import MoCore

/// The identity of a shared clock: its founding and its keeper.
///
/// At first, the founder's clock defines the shared time. If the keeper has gone, another member becomes the keeper
/// and continues the clock at the rate that it has measured. The `lineage` then stays the same, and the `term`
/// increases by 1. If the new keeper does not know the shared time, the `term` increases by 65,536.
public struct TimeBase: Hashable, Sendable {
  /// The founder's ID; members with different lineages have never shared a clock.
  public var lineage: MemberID
  /// The time of the founding, in seconds since 1970 by the founder's calendar clock.
  public var founded: Int64
  /// The number of times that a member took over the clock; a takeover without the shared time counts as 65,536.
  public var term: UInt32
  /// The member whose clock now defines the shared time.
  public var keeper: MemberID

  /// Creates a time base from its parts.
  public init(lineage: MemberID, founded: Int64, term: UInt32, keeper: MemberID) {
    (self.lineage, self.founded, self.term, self.keeper) = (lineage, founded, term, keeper)
  }

  /// The increase of `term` if the new keeper guesses the shared time.
  ///
  /// This number is larger than the number of keepers that a room has in an evening.
  static let termsPerGuess: UInt32 = 1 << 16

  /// Returns whether this base's keeper guessed the shared time, although the keeper of the base `other` knew it.
  func isGuess(after other: TimeBase) -> Bool {
    term > other.term && term - other.term >= Self.termsPerGuess
  }

  /// Returns whether this base precedes another base of the same lineage.
  ///
  /// Two bases of one lineage exist if a part of the room was cut off and chose its own keeper. When members hear the
  /// keepers of both bases, they all use the base that precedes, which is the base of the first keeper.
  func precedes(_ other: TimeBase) -> Bool { (term, keeper) < (other.term, other.keeper) }
}

/// A planned merge with a part of the room that has another clock.
package struct Merge: Hashable, Sendable {
  var base: TimeBase
  /// The version of the part's state, as the part's members report it.
  var version: StateVersion
  /// The member from which the part's time is read; nil while no such member is heard.
  var source: MemberID?
  /// The time at which this member first heard of the part.
  var started: HostTime
  /// The time of the merge; nil while the other clock is still being measured.
  package var at: HostTime?

  /// The seconds from `started` within which the other part must be ready to be joined.
  static let timeout = 5.0
  /// The seconds for which a part is ignored after it was not ready to be joined in time.
  static let pause = 60.0
}

extension TimeBase {
  /// Returns whether this base was founded earlier; if both were founded at the same time, the lower lineage is older.
  package func isOlder(than other: TimeBase) -> Bool { (founded, lineage) < (other.founded, other.lineage) }
}
