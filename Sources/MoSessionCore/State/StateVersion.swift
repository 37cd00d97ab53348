/// Which of two states of the music is the newer; every two can be compared.
///
/// An epoch is a counter and its holder: who takes the baton counts up, and of two who do so at once the
/// one with the higher identity holds it. Within an epoch only the holder writes, counting revisions.
public struct StateVersion: Hashable, Comparable, Sendable {
  /// Counts who has taken the baton; 0 before anybody has.
  public var counter: UInt32
  /// Who took it.
  public var holder: MemberID
  /// Counts the holder's changes.
  public var revision: UInt32

  /// A version from its parts.
  public init(counter: UInt32, holder: MemberID, revision: UInt32) {
    (self.counter, self.holder, self.revision) = (counter, holder, revision)
  }

  /// Before anybody has conducted.
  public static let none = StateVersion(counter: 0, holder: .nobody, revision: 0)

  /// Whether `left` is the older.
  public static func < (left: StateVersion, right: StateVersion) -> Bool {
    (left.counter, left.holder, left.revision) < (right.counter, right.holder, right.revision)
  }

  /// Whether both are of the same epoch.
  func isEpoch(of other: StateVersion) -> Bool { counter == other.counter && holder == other.holder }
}
