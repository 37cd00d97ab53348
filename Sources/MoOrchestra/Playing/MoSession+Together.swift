import MoCore
import MoMu
import MoSessionCore

/// A preset of the gates between members.
public enum GatePreset: Hashable, Sendable {
  /// All members influence each other equally.
  case democratic
  /// One member leads.
  case monarchic(MemberChoice)
  /// Each member influences only the next member of the list, of at most 49 members; the first member conducts.
  case stairs([MemberChoice])
  /// All members play to a central member, which plays to all members.
  case centralised(MemberChoice)
}

/// The movement of all members, and the gates between them.
extension MoSession {
  /// Sends the conductor the amount of this member's movement, 0…1.
  ///
  /// You may call this function as often as you like; the session sends at most ten reports a second. Before a room is
  /// joined, the function does nothing.
  public static func setActivity(_ level: Float) {
    _ = SessionServer.shared.perform { core, now in core.setActivity(level, now: now) }
  }

  /// The level at which all members play their patterns in each bar, 1 (fewest notes) … 5 (all notes).
  ///
  /// - Thread: any.
  /// - Real-time safe: yes.
  public static var pattern: PatternPlan { SessionServer.shared.pattern.load() }

  /// The current gates.
  public static var gates: GateTable {
    SessionServer.shared.read { core, _ in core.state.policy.gates } ?? .democratic
  }

  /// Sets all gates for all members; needs the right to conduct.
  ///
  /// If no member conducts, each member has this right, unless its gate `rhythm` is closed or `--conductor-only`
  /// names another member.
  ///
  /// - Throws: `SessionRefusal.unknownName`, `unknownMember`, `conducted`, `away`, `reserved`, `closed`,
  ///   `tooManyGates`; `SessionError.notJoined`.
  public static func setGates(_ preset: GatePreset) throws {
    let gates: GateTable
    switch preset {
    case .democratic: gates = .democratic
    case .monarchic(let member): gates = .monarchic(try installation(member))
    case .stairs(let members):
      var line: [MemberID] = []
      for member in members { line.append(try installation(member)) }
      gates = .stairs(line)
    case .centralised(let member): gates = .centralised(try installation(member))
    }
    try SessionServer.shared.request { core, now throws(SessionRefusal) in
      try core.setGates(gates, now: now)
    }
  }

  /// Changes one gate for all members.
  ///
  /// - Parameters:
  ///   - weight: the weight of the gate, 0…1; nil to remove the weight that an earlier call set.
  ///   - kind: the kind of gate.
  ///   - from: the member that plays; nil for all.
  ///   - to: the member that receives; nil for all.
  /// - Throws: `SessionRefusal.unknownName`, `unknownMember`, `conducted`, `away`, `reserved`, `closed`,
  ///   `tooManyGates`; `SessionError.notJoined`.
  public static func setGate(_ weight: Float?, _ kind: GateKind, from: MemberChoice?, to: MemberChoice?)
    throws
  {
    let (from, to) = (try from.map(installation) ?? .nobody, try to.map(installation) ?? .nobody)
    try SessionServer.shared.request { core, now throws(SessionRefusal) in
      var gates = core.state.policy.gates
      guard gates.set(weight, kind, from: from, to: to) else { throw .tooManyGates }
      try core.setGates(gates, now: now)
    }
  }

  private static func installation(_ member: MemberChoice) throws -> MemberID {
    let installation = try SessionServer.shared.perform { core, now throws(SessionRefusal) in
      try core.installation(member, at: now)
    }
    guard let installation else { throw SessionError.notJoined }
    return installation
  }
}
