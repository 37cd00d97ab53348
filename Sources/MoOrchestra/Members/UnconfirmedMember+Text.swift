import MoSessionCore

extension UnconfirmedMember {
  /// The member's name, and the time since the member was last heard.
  package var text: String {
    let name = name.isEmpty ? "a hidden member (\(member.description.prefix(4)))" : name
    return silentFor > 1 ? "\(name), not heard for \(silentFor) s" : name
  }

  /// Lists several members in a line.
  package static func line(_ members: [UnconfirmedMember]) -> String {
    "no answer to the call for silence from \(members.map(\.text).joined(separator: "; ")): "
      + (members.count == 1 ? "it falls silent as soon as it is" : "they fall silent as soon as they are")
      + " heard again"
  }
}
