import MoCore
import MoMu
import MoSessionCore

/// Who may influence whom, as a preset; members by the names that are shown.
public enum GatePreset: Hashable, Sendable {
  /// All influence all alike.
  case democratic
  /// One leads.
  case monarchic(String)
  /// Each influences the next in line only; the first conducts.
  case stairs([String])
  /// All play to one, who plays to all.
  case centralised(String)
}

/// How much everybody moves, and who may influence whom.
extension MoSession {
  /// Tells who conducts how much one moves, 0…1, as often as one likes.
  ///
  /// Nothing happens before a room was joined.
  public static func setActivity(_ level: Float) {
    _ = SessionServer.shared.perform { core, now in core.setActivity(level, now: now) }
  }

  /// How much is played in which bar, the same for all.
  ///
  /// - Thread: any.
  /// - Real-time safe: yes.
  public static var pattern: PatternPlan { SessionServer.shared.pattern.load() }

  /// The gates as they are.
  public static var gates: GateTable {
    SessionServer.shared.look { core, _ in core.state.policy.gates } ?? .democratic
  }

  /// Sets all gates, for everybody; who conducts may, or everybody while nobody does.
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

  /// Changes one gate, for everybody.
  ///
  /// - Parameters:
  ///   - weight: 0…1, or nil to take back what was stated.
  ///   - from: by the name that is shown; nil for all.
  ///   - to: by the name that is shown; nil for all.
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
