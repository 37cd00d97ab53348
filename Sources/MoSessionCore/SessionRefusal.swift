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
  /// Nobody bears a name; those who are here do theirs.
  case unknownName(String, here: [String])
  /// A melody is too long.
  case tooLong(notes: Int)
  /// A parameter's name that cannot be one.
  case badParameter(String)
  /// Too much waits for those who are to have it.
  case crowded
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
    case .unknownName(let name, let here):
      "nobody called \"\(name)\" is here: \(here.joined(separator: ", "))"
    case .tooLong(let notes):
      "a melody of \(notes) notes is too long: send \(SessionMelody.most) at most, or send it in parts"
    case .badParameter(let name):
      "\"\(name)\" is no name for a parameter: use 1 to 64 letters, such as brightness"
    case .crowded: "too much is on its way there already: send less, or wait until it has come"
    case .noRhythm: "no rhythm is running: start one first"
    case .arriving: "the room's clock is not known yet: try again in a second"
    }
  }
}
