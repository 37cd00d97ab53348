import MoCore

/// What all members agree on: who conducts, and the music's course.
///
/// A value with a version, sent whole, so it does not matter which copy arrives, nor how often.
public struct SessionState: Hashable, Sendable {
  /// Which it is.
  public var version: StateVersion
  /// The clock that its times are on.
  public var lineage: MemberID
  /// Whether its holder still conducts; if not, anybody may.
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

  /// The member that conducts; nil for none.
  public var conductor: MemberID? { isHeld ? version.holder : nil }
}

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

  /// A number of 28 bits that two policies of one rank share only if the same installations may conduct by both.
  ///
  /// - Source: SplitMix64's mixing, G. Steele, D. Lea, C. Flood, OOPSLA 2014.
  var digest: UInt32 {
    var numbers: [UInt64] = []
    if only != .nobody {
      numbers = [only.bits]
    } else {
      for entry in gates.entries { numbers += [entry.from.bits, entry.to.bits, UInt64(entry.bits)] }
    }
    var mixed: UInt64 = 0
    for number in numbers {
      mixed = SplitMix.mix((mixed ^ number) &+ SplitMix.step)
    }
    return UInt32(truncatingIfNeeded: mixed) >> 4
  }

  /// Whether an installation may conduct, and change the policy.
  public func permits(_ installation: MemberID) -> Bool {
    only != .nobody ? installation == only : gates.weight(.rhythm, from: installation) > 0
  }
}
