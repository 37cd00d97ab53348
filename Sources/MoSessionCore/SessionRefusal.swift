/// Why something that was asked of a session cannot be done.
public enum SessionRefusal: Error, Hashable, Sendable, CustomStringConvertible {
  /// Somebody else conducts.
  case conducted(by: String)
  /// Only one installation may conduct.
  case reserved(MemberID)
  /// It is for the conductor to do.
  case notConductor
  /// There is no such member.
  case unknownMember(MemberID)
  /// There is no rhythm.
  case noRhythm
  /// The room is still being looked for, or its clock is not known yet.
  case arriving

  /// What is in the way, and what to do.
  public var description: String {
    switch self {
    case .conducted(let name): "\(name) conducts: ask for the baton, or wait until the rhythm is stopped"
    case .reserved(let installation):
      "only installation \(installation) may conduct here (--conductor-only)"
    case .notConductor: "only who conducts can do that: start the rhythm, or take the baton first"
    case .unknownMember(let member): "no member \(member) is here"
    case .noRhythm: "no rhythm is running: start one first"
    case .arriving: "the room's clock is not known yet: try again in a second"
    }
  }
}
