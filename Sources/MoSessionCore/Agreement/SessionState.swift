import MoCore

/// What all members agree on: who conducts, and the music's course.
///
/// A value with a version, sent whole, so it does not matter which copy arrives, nor how often.
public struct SessionState: Hashable, Sendable {
  /// Which it is.
  public var version: StateVersion
  /// The clock that its times are on.
  public var lineage: MemberID
  /// Whether its holder still conducts; where not, anybody may.
  public var isHeld: Bool
  /// The installation of its holder.
  public var holderInstallation: MemberID
  /// The part of the room that all of this one are to go over to, by its clock; `nobody` for none.
  public var joins = MemberID.nobody
  /// The music; nil before anybody has started any.
  public var timeline: Timeline?
  /// The revision of its epoch that a person wrote last; how much is played in which bar is announced without one.
  var lastChange: UInt32 = 0
  /// The epochs that it follows, the last one first.
  var ancestors: [StateAncestor] = []
  /// How much is played in which bar.
  public var pattern = PatternPlan()
  /// Who may conduct, and who may influence whom.
  public var policy = SessionPolicy()
  /// The last call for silence that is over, by its number; 0 for none.
  var endedSilence: UInt32 = 0
  /// The state as its writer has signed it; nil in an open room.
  var signature: SignedMessage?

  /// A state from its parts.
  public init(
    version: StateVersion, lineage: MemberID, isHeld: Bool, holderInstallation: MemberID, timeline: Timeline?
  ) {
    (self.version, self.lineage, self.isHeld) = (version, lineage, isHeld)
    (self.holderInstallation, self.timeline) = (holderInstallation, timeline)
  }

  /// Before anybody has conducted.
  public static let none = SessionState(
    version: .none, lineage: .nobody, isHeld: false, holderInstallation: .nobody, timeline: nil)

  /// Who conducts; nil where nobody does.
  public var conductor: MemberID? { isHeld ? version.holder : nil }
}
