/// Which of two states of the music is the newer; every two can be compared.
///
/// An epoch is a counter and its holder: who takes the baton counts up, and of two who do so at once the
/// one with the higher identity holds it. Within an epoch only the holder writes, counting revisions.
public struct StateVersion: Hashable, Comparable, Sendable {
  /// Counts who has taken the baton; 0 before anybody has.
  public var counter: UInt32
  /// Who took it.
  public var holder: MemberID
  /// Counts the holder's changes, from 65,536 on; less if the baton was handed to it, and it has changed nothing yet.
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

  /// Whether a room in which so many epochs were heard of can have come to this one.
  ///
  /// After the last epoch of all nobody could conduct any more. Two parts of a room that meet again are a few apart;
  /// who has just come cannot know, but 2³⁰ times nobody has taken the baton.
  func isPlausible(after epochs: UInt32) -> Bool {
    UInt64(counter) < (epochs == 0 ? 1 << 30 : UInt64(epochs) + 1 << 12)
  }

  /// Whether it is further ahead than parts of a room come to be in an evening.
  func isFar(after epochs: UInt32) -> Bool { epochs != 0 && UInt64(counter) > UInt64(epochs) + 64 }

  /// The first version of an epoch that a member begins that has heard of so many.
  func next(heldBy holder: MemberID, after epochs: UInt32 = 0) -> StateVersion {
    StateVersion(counter: max(counter, epochs) &+ 1, holder: holder, revision: Self.firstOwn)
  }

  /// The version of its holder's next change.
  var revised: StateVersion {
    StateVersion(counter: counter, holder: holder, revision: max(revision, Self.firstOwn - 1) &+ 1)
  }

  /// The version by which the baton is handed to a member.
  ///
  /// It is older than any that the receiver writes, who may have taken the same epoch at the same time; and it is its
  /// giver's own, since two parts of a room may each hand theirs to the same member; and above all epochs that the
  /// giver has heard of, since it may have handed this one on before, lost that, and got this one back.
  func handed(to holder: MemberID, by giver: MemberID, after epochs: UInt32) -> StateVersion {
    StateVersion(
      counter: max(counter, epochs) &+ 1, holder: holder,
      revision: UInt32(truncatingIfNeeded: giver.bits) % Self.firstOwn)
  }

  /// Whether the baton was handed to its holder, which has changed nothing yet: its giver wrote this.
  var isHanded: Bool { revision < Self.firstOwn }

  /// The revision that a holder's own changes begin with.
  private static let firstOwn: UInt32 = 1 << 16
}
