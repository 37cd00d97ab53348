import MoCore
import MoMu
import MoSessionCore

/// State that all members of the room share: settings such as a drum pattern, and the sections.
extension MoSession {
  /// Sends all members a change of a shared setting, such as a drum pattern.
  ///
  /// - Parameters:
  ///   - name: the name of the setting, 1…64 bytes. Programs that use the same name share the cells of the setting. So
  ///     put the number of steps of a pattern into the name: then only patterns of the same size share cells.
  ///   - edit: the cell and its new value.
  /// - Throws: `SessionRefusal.badParameter`, `tooManyCells`; `SessionError.notJoined`.
  public static func share(_ name: String, _ edit: SharedEdit) throws {
    try wish { core, now throws(SessionRefusal) in try core.share(SharedEdits(name, [edit]), now: now) }
  }

  /// Calls `callback` for every change of a shared setting by another member.
  ///
  /// For each cell that is set already, `onShared` calls `callback` immediately.
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

  /// The names of the sections that have assigned members.
  public static var sections: [String] { SessionServer.shared.look { core, _ in core.sections } ?? [] }

  /// Assigns a member to a section, or removes the member from it.
  ///
  /// The caller needs the right to conduct: see `setGates`. Assignments by members whose rhythm gate is closed do not
  /// count, on any machine.
  ///
  /// - Throws: `SessionRefusal.unknownName`, `unknownMember`, `badSection`, `tooManyCells`, `conducted`,
  ///   `away`, `reserved`, `closed`; `SessionError.notJoined`.
  public static func setSection(_ section: String, of member: MemberChoice, _ isIn: Bool = true) throws {
    try wish { core, now throws(SessionRefusal) in
      try core.setSection(section, of: core.member(member, at: now), isIn, now: now)
    }
  }

  private static func wish(
    _ body: (inout SessionCore, HostTime) throws(SessionRefusal) -> Void
  ) throws {
    guard try SessionServer.shared.perform(body) != nil else { throw SessionError.notJoined }
  }
}
