import MoCore

/// The state that all members agree on: conductor, timeline, pattern levels, gates and section levels.
///
/// Members always send the whole state, with its version. So it does not matter which copy of the state arrives, nor
/// how often.
public struct SessionState: Hashable, Sendable {
  /// The version of the state.
  public var version: StateVersion
  /// The identity (lineage) of the shared clock to which the times in this state refer.
  public var lineage: MemberID
  /// Whether the holder (`version.holder`) conducts; if not, any member that has the right may take the baton.
  public var isHeld: Bool
  /// The installation of the holder (`version.holder`).
  public var holderInstallation: MemberID
  /// The identity (lineage) of another part of the room that all members of our part must join; `nobody` for none.
  public var joins = MemberID.nobody
  /// The timeline of the music; nil before the first start.
  public var timeline: Timeline?
  /// The revision, within the state's epoch, of the last change by a person; announcements of pattern levels do not
  /// count.
  package var lastChange: UInt32 = 0
  /// The earlier epochs from which this state was made, the latest epoch first.
  package var ancestors: [StateAncestor] = []
  /// The levels of the pattern, bar by bar.
  public var pattern = PatternPlan()
  /// The right to conduct, and the gates.
  public var policy = SessionPolicy()
  /// The number of the last call for silence that is over; 0 for none.
  package var endedSilence: UInt32 = 0
  /// The message in which the writer of the state sent and signed it; nil in a room without a passkey.
  package var signature: SignedMessage?

  /// Creates a state from its parts.
  public init(
    version: StateVersion, lineage: MemberID, isHeld: Bool, holderInstallation: MemberID, timeline: Timeline?
  ) {
    (self.version, self.lineage, self.isHeld) = (version, lineage, isHeld)
    (self.holderInstallation, self.timeline) = (holderInstallation, timeline)
  }

  /// The state before any member has conducted.
  public static let none = SessionState(
    version: .none, lineage: .nobody, isHeld: false, holderInstallation: .nobody, timeline: nil)

  /// The conductor; nil for none.
  public var conductor: MemberID? { isHeld ? version.holder : nil }
}

/// The right to conduct, the gates, and the levels of sections.
///
/// The policy is a part of the agreed state (`SessionState`), and the holder of that state writes it. The `rank`
/// tells which of two policies is stricter.
///
/// - Thread: any; a plain value.
public struct SessionPolicy: Hashable, Sendable {
  /// The only installation that may conduct; `nobody` if all may.
  public var only = MemberID.nobody
  /// The installation that has lost its exclusive right to conduct; `nobody` for none.
  ///
  /// A member of the installation can end this right with the command `lift`. After the installation has been
  /// away for a minute, any member can end it.
  public var lifted = MemberID.nobody
  /// The weights with which members influence each other.
  public var gates = GateTable()
  /// The levels and mutes of sections.
  public var sections = SectionLevels()

  /// Creates a policy without rules: all members may conduct.
  public init() {}

  /// The strictness of the policy: 2 if only one installation may conduct, 1 if gates are set, else 0.
  public var rank: Int32 { only != .nobody ? 2 : gates.entries.isEmpty ? 0 : 1 }

  /// A 28-bit digest of the rules: of `only`, or of the gates if `only` is `nobody`.
  ///
  /// Apart from rare collisions, policies of the same rank have the same digest only if these rules are equal.
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

  /// Returns whether two policies are equally strict, but differ in the only installation that may conduct, or in the
  /// gates.
  func contradicts(_ other: SessionPolicy) -> Bool {
    rank == other.rank && (only != other.only || only == .nobody && gates != other.gates)
  }

  /// Returns whether an installation may conduct, and change the policy.
  public func permits(_ installation: MemberID) -> Bool {
    only != .nobody ? installation == only : gates.weight(.rhythm, from: installation) > 0
  }
}
