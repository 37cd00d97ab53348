import MoCore

/// The version of a state; any two versions can be compared.
///
/// A counter and a member, the holder, identify an epoch. A member that takes the baton, or changes the state of a room
/// without a conductor, becomes the holder and increments the counter. If two members do this at the same time, the
/// member with the higher ID wins. Within an epoch, only the holder changes the state. The revision counts these
/// changes.
public struct StateVersion: Hashable, Comparable, Sendable {
  /// The number of the epoch: 0 before the first epoch, and higher in each later epoch.
  public var counter: UInt32
  /// The member that writes the state in this epoch, such as the conductor.
  public var holder: MemberID
  /// The number of the last change that the holder made in this epoch.
  ///
  /// The first number, 65,536 or higher, comes from the nanoseconds of the holder's clock. Members consider two states
  /// of the same version as equal. So another program must guess this number to forge a state with the version of the
  /// holder's first change.
  ///
  /// If the number is below 65,536, the holder received the baton from another member and has not changed anything yet.
  /// The number 0 means that no member has conducted yet.
  public var revision: UInt32

  /// Creates a version from its parts.
  public init(counter: UInt32, holder: MemberID, revision: UInt32) {
    (self.counter, self.holder, self.revision) = (counter, holder, revision)
  }

  /// The version before any member has conducted.
  public static let none = StateVersion(counter: 0, holder: .nobody, revision: 0)

  /// Returns whether `left` is older.
  public static func < (left: StateVersion, right: StateVersion) -> Bool {
    (left.counter, left.holder, left.revision) < (right.counter, right.holder, right.revision)
  }

  /// Returns whether a room that has reached the epoch `epochs` can have reached this version's epoch.
  ///
  /// After the highest possible epoch no member could conduct any more, so an implausible epoch must not be accepted.
  /// Two parts of a room that meet again are a few epochs apart; the limit is `window`. For a newcomer, which knows no
  /// epoch (`epochs` is 0), the limit is 2³⁰ epochs, more than a room can reach.
  func isPlausible(after epochs: UInt32, within window: UInt64 = window) -> Bool {
    UInt64(counter) < (epochs == 0 ? UInt64(Self.most) : UInt64(epochs) + window)
  }

  /// The number of epochs after the known epochs from which an epoch is implausible.
  static let window: UInt64 = 1 << 12

  /// The lowest number of an epoch that a newcomer rejects as implausible.
  static let most: UInt32 = 1 << 30

  /// Returns whether this version's epoch is more than 64 epochs after the epoch `epochs`; false if `epochs` is 0.
  ///
  /// The parts of a room do not get 64 epochs apart in an evening.
  func isFar(after epochs: UInt32) -> Bool { epochs != 0 && UInt64(counter) > UInt64(epochs) + Self.step }

  /// The number of epochs by which parts of a room may differ without a rate limit.
  static let step: UInt64 = 64

  /// Returns the first version of a new epoch, whose number is above this version's `counter` and above `epochs`.
  ///
  /// - Parameter now: the time of the change.
  package func next(heldBy holder: MemberID, after epochs: UInt32 = 0, at now: HostTime) -> StateVersion {
    StateVersion(counter: max(counter, epochs) &+ 1, holder: holder, revision: Self.firstRevision(at: now))
  }

  /// Returns the version of the holder's next change, at the time `now`; nil if this epoch has no more revisions.
  func revised(at now: HostTime) -> StateVersion? {
    guard revision < .max else { return nil }
    return StateVersion(
      counter: counter, holder: holder, revision: isHanded ? Self.firstRevision(at: now) : revision + 1)
  }

  /// Returns the revision of a holder's first change, from the nanoseconds of the holder's clock.
  ///
  /// Another program does not know the moment of the change, so it can only guess this revision.
  private static func firstRevision(at now: HostTime) -> UInt32 {
    firstOwn + UInt32(truncatingIfNeeded: now.nanoseconds) % (1 << 30)
  }

  /// Returns the version of the state with which the member `giver` hands the baton to the member `holder`.
  ///
  /// - The version is older than any version that `holder` writes, since `holder` may have begun the same epoch itself
  ///   at the same time.
  /// - The version depends on the giver, since two parts of a room may each hand their baton to the same member.
  /// - The version's epoch is later than all epochs that the giver has heard of. The giver may have handed on the baton
  ///   of the present epoch before, lost the new epoch, and returned to the present epoch.
  func handed(to holder: MemberID, by giver: MemberID, after epochs: UInt32) -> StateVersion {
    StateVersion(
      counter: max(counter, epochs) &+ 1, holder: holder,
      revision: UInt32(truncatingIfNeeded: giver.bits) % Self.firstOwn)
  }

  /// Whether the baton was handed to the holder, which has not changed anything yet: the giver wrote this version.
  package var isHanded: Bool { Self.isHanded(revision) }

  /// Returns whether another member than the holder wrote a revision: the member that handed the baton to the holder.
  static func isHanded(_ revision: UInt32) -> Bool { revision < firstOwn }

  /// The lowest revision of a holder's own changes.
  private static let firstOwn: UInt32 = 1 << 16
}
