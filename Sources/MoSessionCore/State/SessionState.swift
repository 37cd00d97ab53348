import MoTime

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
  /// The one installation that may conduct; `nobody` where all may.
  public var only: MemberID
  /// The part of the room that all of this one are to go over to, by its clock; `nobody` for none.
  public var joins = MemberID.nobody
  /// The music; nil before anybody has started any.
  public var timeline: Timeline?
  /// How much is played in which bar.
  public var pattern = PatternPlan()
  /// Who may influence whom.
  public var gates = GateTable()
  /// The version that set them; `none` where nobody did.
  public var gatesVersion = StateVersion.none

  /// How loud sections are, and which are silent.
  public var sections = SectionLevels()
  /// The state as its writer has signed it; nil in an open room.
  var signature: SignedMessage?

  /// A state from its parts.
  public init(
    version: StateVersion, lineage: MemberID, isHeld: Bool, holderInstallation: MemberID, only: MemberID,
    timeline: Timeline?
  ) {
    (self.version, self.lineage, self.isHeld) = (version, lineage, isHeld)
    (self.holderInstallation, self.only, self.timeline) = (holderInstallation, only, timeline)
  }

  /// Before anybody has conducted.
  public static let none = SessionState(
    version: .none, lineage: .nobody, isHeld: false, holderInstallation: .nobody, only: .nobody, timeline: nil
  )

  /// Who conducts; nil where nobody does.
  public var conductor: MemberID? { isHeld ? version.holder : nil }
}
