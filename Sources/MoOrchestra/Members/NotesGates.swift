import MoSessionCore

/// The other members, divided by the gates: those that receive this member's notes, and those that do not.
package struct NotesGates: Hashable, Sendable {
  /// The display names of the members that receive this member's strikes, notes, melodies and gestures.
  package var open: [String] = []
  /// The display names of the members that receive none of this member's strikes, notes, melodies and gestures.
  package var closed: [String] = []

  package init() {}

  /// - Parameters:
  ///   - gates: the room's gates.
  ///   - mine: this member's installation. Other programs of the same installation are left out, since gates do not
  ///     apply among programs of an installation.
  ///   - roster: the members of the room.
  package init(_ gates: GateTable, from mine: MemberID, to roster: [SessionMember]) {
    for member in roster where !member.isMe && member.identity.installation != mine {
      if gates.weight(.notes, from: mine, to: member.identity.installation) > 0 {
        open.append(member.displayName)
      } else {
        closed.append(member.displayName)
      }
    }
  }
}
