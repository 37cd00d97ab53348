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
      mixed = (mixed ^ number) &+ 0x9E37_79B9_7F4A_7C15
      mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
      mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
      mixed ^= mixed >> 31
    }
    return UInt32(truncatingIfNeeded: mixed) >> 4
  }

  /// Whether an installation may conduct, and change the policy.
  public func permits(_ installation: MemberID) -> Bool {
    only != .nobody ? installation == only : gates.weight(.rhythm, from: installation) > 0
  }
}
