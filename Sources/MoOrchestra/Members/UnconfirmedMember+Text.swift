import MoSessionCore

extension UnconfirmedMember {
  /// The member's name and, if its last message is more than a second old, the age of this message in seconds.
  package var text: String {
    let name = name.isEmpty ? "a hidden member (\(member.description.prefix(4)))" : name
    return silentFor > 1 ? "\(name), not heard for \(silentFor) s" : name
  }

  /// Returns a line that names the members that did not confirm a call for silence.
  package static func line(_ members: [UnconfirmedMember]) -> String {
    "no answer to the call for silence from \(members.map(\.text).joined(separator: "; ")): "
      + (members.count == 1 ? "it falls silent as soon as it is" : "they fall silent as soon as they are")
      + " heard again"
  }
}
