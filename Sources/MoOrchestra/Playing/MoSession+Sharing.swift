import MoCore
import MoMu
import MoSessionCore

/// What is shared with everybody in the room: drum machines and the like, and sections.
extension MoSession {
  /// Tells everybody of a change to something that is shared.
  ///
  /// - Parameters:
  ///   - name: what it is, 1…64 bytes; machines of one name share, so it should say the size.
  ///   - edit: which cell, and what it became.
  /// - Throws: `SessionRefusal.badParameter`, `tooManyCells`; `SessionError.notJoined`.
  public static func share(_ name: String, _ edit: SharedEdit) throws {
    try wish { core, now throws(SessionRefusal) in try core.share(SharedEdits(name, [edit]), now: now) }
  }

  /// Calls `callback` for every change of a thing that was made elsewhere, and at once for all that is set already.
  @discardableResult
  public static func onShared(
    _ name: String, _ callback: @escaping @Sendable (SharedEdit) -> Void
  ) -> MoToken {
    let token = SessionServer.shared.heard.add { heard in
      guard case .cells(let cells) = heard.play, cells.name == name else { return }
      for edit in cells.edits { callback(edit) }
    }
    for edit in SessionServer.shared.look({ core, _ in core.shared(name) }) ?? [] { callback(edit) }
    return token
  }

  /// The sections that somebody was assigned to.
  public static var sections: [String] { SessionServer.shared.look { core, _ in core.sections } ?? [] }

  /// Assigns somebody to a section, by the name that is shown, or takes it out.
  ///
  /// Who may conduct may: see `setGates`. What was said by those whose rhythm gate is closed does not count, on any
  /// machine.
  ///
  /// - Throws: `SessionRefusal.unknownName`, `badSection`, `conducted`, `reserved`, `closed`; `SessionError.notJoined`.
  public static func setSection(_ section: String, of name: String, _ isIn: Bool = true) throws {
    let members = members
    guard let member = members.first(where: { $0.displayName == name }) else {
      throw SessionRefusal.unknownName(name, here: members.map(\.displayName))
    }
    let id = member.identity.member
    try wish { core, now throws(SessionRefusal) in
      try core.setSection(section, of: id, isIn, now: now)
    }
  }

  private static func wish(
    _ body: (inout SessionCore, HostTime) throws(SessionRefusal) -> Void
  ) throws {
    guard try SessionServer.shared.perform(body) != nil else { throw SessionError.notJoined }
  }
}
