/// Who may conduct, who may influence whom, and how loud sections are.
///
/// A part of the state that all agree on: the holder of the state writes it, and a rank says which of two rules is the
/// stricter.
///
/// - Thread: any; a plain value.
public struct SessionPolicy: Hashable, Sendable {
  /// The one installation that may conduct; `nobody` if all may.
  public var only = MemberID.nobody
  /// The installation that alone could conduct until a person lifted that; `nobody` for none.
  public var lifted = MemberID.nobody
  /// Who may influence whom.
  public var gates = GateTable()
  /// How loud sections are, and which are silent.
  public var sections = SectionLevels()

  /// A policy that says nothing: all may conduct.
  public init() {}

  /// How strict it is: 2 if one installation alone may conduct, 1 if gates are stated, else 0.
  public var rank: Int32 { only != .nobody ? 2 : gates.entries.isEmpty ? 0 : 1 }

  /// Whether an installation may conduct, and change the policy.
  public func permits(_ installation: MemberID) -> Bool {
    only != .nobody ? installation == only : gates.weight(.rhythm, from: installation) > 0
  }
}
