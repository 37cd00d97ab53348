/// Ways of playing together, as gates; members are named by their installations.
extension GateTable {
  /// All influence all alike.
  public static let democratic = GateTable()

  /// One leads: it alone conducts and alters others' sound; others' notes and movement count half.
  public static func monarchic(_ king: MemberID) -> GateTable {
    var gates = GateTable()
    gates.state(rhythm: 0, notes: 0.5, modification: 0, activity: 0.5)
    gates.state(from: king, rhythm: 1, notes: 1, modification: 1, activity: 1)
    return gates
  }

  /// Each influences the next in line only, and the first conducts; nobody else hears anybody.
  public static func stairs(_ line: [MemberID]) -> GateTable {
    var gates = GateTable()
    gates.state(rhythm: 0, notes: 0, modification: 0, activity: 1)
    if let first = line.first { gates.state(from: first, rhythm: 1) }
    for (one, next) in zip(line, line.dropFirst()) {
      gates.state(from: one, to: next, notes: 1, modification: 1)
    }
    return gates
  }

  /// All play to one, who conducts, and plays to all and alters their sound.
  public static func centralised(_ centre: MemberID) -> GateTable {
    var gates = GateTable()
    gates.state(rhythm: 0, notes: 0, modification: 0, activity: 1)
    gates.state(to: centre, notes: 1)
    gates.state(from: centre, rhythm: 1, notes: 1, modification: 1)
    return gates
  }

  private mutating func state(
    from: MemberID = .nobody, to: MemberID = .nobody, rhythm: Float? = nil, notes: Float? = nil,
    modification: Float? = nil, activity: Float? = nil
  ) {
    if let rhythm { set(rhythm, .rhythm, from: from, to: to) }
    if let notes { set(notes, .notes, from: from, to: to) }
    if let modification { set(modification, .modification, from: from, to: to) }
    if let activity { set(activity, .activity, from: from, to: to) }
  }
}
