/// Where a member may be, as a directory or another member says.
///
/// Whether it is there shows when it answers.
package struct MemberHint: Hashable, Sendable {
  /// The member.
  package var member: MemberID
  /// The room that it is said to be in.
  package var room: String
  /// The address.
  package var endpoint: SessionEndpoint

  /// A hint from its parts.
  package init(member: MemberID, room: String, endpoint: SessionEndpoint) {
    (self.member, self.room, self.endpoint) = (member, room, endpoint)
  }
}
