import MoCore
import MoMu
import MoSessionCore

/// A preset of the gates between members, which are given by display name.
public enum GatePreset: Hashable, Sendable {
  /// All members influence all others alike.
  case democratic
  /// One member leads.
  case monarchic(String)
  /// Each member influences only the next in line; the first conducts.
  case stairs([String])
  /// All members play to one member, which plays to all.
  case centralised(String)
}

/// The movement of all members, and the gates between them.
extension MoSession {
  /// Sends the conductor the amount of your movement, 0…1; call it as often as you like.
  ///
  /// Before a room is joined, the call does nothing.
  public static func setActivity(_ level: Float) {
    _ = SessionServer.shared.perform { core, now in core.setActivity(level, now: now) }
  }

  /// The density of playing in each bar, the same for all members.
  ///
  /// - Thread: any.
  /// - Real-time safe: yes.
  public static var pattern: PatternPlan { SessionServer.shared.pattern.load() }

  /// The current gates.
  public static var gates: GateTable {
    SessionServer.shared.look { core, _ in core.state.policy.gates } ?? .democratic
  }

  /// Sets all gates for all members; needs the right to conduct, which all have if no member conducts.
  ///
  /// - Throws: `SessionRefusal.unknownName`, `conducted`, `closed`, `tooManyGates`; `SessionError.notJoined`.
  public static func setGates(_ preset: GatePreset) throws {
    let gates: GateTable
    switch preset {
    case .democratic: gates = .democratic
    case .monarchic(let name): gates = .monarchic(try installation(name))
    case .stairs(let names):
      var line: [MemberID] = []
      for name in names { line.append(try installation(name)) }
      gates = .stairs(line)
    case .centralised(let name): gates = .centralised(try installation(name))
    }
    try set(gates)
  }

  /// Changes one gate for all members.
  ///
  /// - Parameters:
  ///   - weight: 0…1, or nil to remove the set weight.
  ///   - kind: the gate.
  ///   - from: a display name; nil for all.
  ///   - to: a display name; nil for all.
  /// - Throws: `SessionRefusal.unknownName`, `conducted`, `closed`, `tooManyGates`; `SessionError.notJoined`.
  public static func setGate(_ weight: Float?, _ kind: GateKind, from: String?, to: String?) throws {
    var gates = gates
    let (from, to) = (try from.map(installation) ?? .nobody, try to.map(installation) ?? .nobody)
    guard gates.set(weight, kind, from: from, to: to) else { throw SessionRefusal.tooManyGates }
    try set(gates)
  }

  private static func set(_ gates: GateTable) throws {
    let done: Void? = try SessionServer.shared.perform { core, now throws(SessionRefusal) in
      try core.setGates(gates, now: now)
    }
    guard done != nil else { throw SessionError.notJoined }
  }

  private static func installation(_ name: String) throws -> MemberID {
    let members = members
    guard let member = members.first(where: { $0.displayName == name }) else {
      throw SessionRefusal.unknownName(name, here: members.map(\.displayName))
    }
    return member.identity.installation
  }
}
