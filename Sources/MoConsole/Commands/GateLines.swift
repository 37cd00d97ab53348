import MoOrchestra

/// Describes gates in words, a line for each pair of sender and receiver: `gate from Bob to all: notes 0.5`.
enum GateLines {
  /// Returns lines that describe the gates of the joined room.
  static func now() -> String {
    let members = MoSession.members
    return text(MoSession.gates) { id in
      members.first { $0.identity.installation == id }?.displayName ?? "a member that is away (\(id))"
    }
  }

  /// Returns lines that describe the gates of a table.
  ///
  /// - Parameter name: a function that returns the name of an installation.
  static func text(_ gates: GateTable, name: (MemberID) -> String) -> String {
    guard !gates.statements.isEmpty else {
      return "all gates are open: rhythm 0.5, notes, modification and activity 1"
    }
    var lines: [(place: String, weights: [String])] = []
    for gate in gates.statements {
      let place = "gate from \(self.name(gate.from, name)) to \(self.name(gate.to, name)): "
      let weight = "\(gate.kind) \(number(gate.weight))"
      if lines.last?.place == place {
        lines[lines.count - 1].weights.append(weight)
      } else {
        lines.append((place, [weight]))
      }
    }
    return lines.map { $0.place + $0.weights.joined(separator: ", ") }.joined(separator: "\n")
  }

  private static func name(_ id: MemberID, _ name: (MemberID) -> String) -> String {
    id == .nobody ? "all" : name(id)
  }

  private static func number(_ weight: Float) -> String {
    let hundredths = Int((weight * 100).rounded())
    return hundredths % 100 == 0 ? "\(hundredths / 100)" : "\(Double(hundredths) / 100)"
  }
}
