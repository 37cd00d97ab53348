import MoCore

/// A part of the room with another clock, about to become one with ours.
struct Merge: Hashable, Sendable {
  var base: TimeBase
  /// The music it is said to have.
  var version: StateVersion
  /// The member that its time is read from; nil while none is heard.
  var teller: MemberID?
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
