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
    try perform { core, now throws(SessionRefusal) in try core.share(SharedEdits(name, [edit]), now: now) }
  }

  /// Calls `callback` for every change of a shared setting by another member.
  ///
  /// For each cell that is set already, `onShared` calls `callback` immediately, with the time of the call. The calls
  /// are in the order of the changes, on one thread at a time.
  ///
  /// - Parameters:
  ///   - name: the name of the setting.
  ///   - callback: receives the change, and the time at which it arrived.
  /// - Returns: a token whose `cancel()` stops the calls.
  /// - Thread: the callback runs on `mo-session`, on a thread that makes a request, or on the thread that calls
  ///   `onShared`.
  @discardableResult
  public static func onShared(
    _ name: String, _ callback: @escaping @Sendable (_ edit: SharedEdit, _ time: HostTime) -> Void
  ) -> MoToken {
    let edits = DeliveryQueue<(SharedEdit, HostTime)>(limit: 16_384)
    let token = SessionServer.shared.heard.add { heard in
      guard case .cells(let cells) = heard.play, cells.name == name else { return }
      for edit in cells.edits { edits.add((edit, heard.time)) }
      while edits.handle({ callback($0, $1) }) {}
    }
    // Within `read`, so that later changes come after these cells in the queue.
    _ = SessionServer.shared.read { core, now in for edit in core.shared(name) { edits.add((edit, now)) } }
    while edits.handle({ callback($0, $1) }) {}
    return token
  }

  /// The names of the sections that have assigned members.
  public static var sections: [String] { SessionServer.shared.read { core, _ in core.sections } ?? [] }

  /// Assigns a member to a section, or removes the member from it.
  ///
  /// The caller needs the right to conduct: see `setGates`. Assignments by members whose rhythm gate is closed do not
  /// count, on any machine.
  ///
  /// - Throws: `SessionRefusal.unknownName`, `unknownMember`, `badSection`, `tooManyCells`, `conducted`,
  ///   `away`, `reserved`, `closed`; `SessionError.notJoined`.
  public static func setSection(_ section: String, of member: MemberChoice, _ isIn: Bool = true) throws {
    try perform { core, now throws(SessionRefusal) in
      try core.setSection(section, of: core.member(member, at: now), isIn, now: now)
    }
  }

  private static func perform(
    _ body: (inout SessionCore, HostTime) throws(SessionRefusal) -> Void
  ) throws {
    guard try SessionServer.shared.perform(body) != nil else { throw SessionError.notJoined }
  }
}

/// The song that the room rehearses, which all members of the room share, including members that join later.
extension MoSession {
  /// The room's current song; nil for none, and outside a room.
  public static var song: String? { SessionServer.shared.read { core, _ in core.song } ?? nil }

  /// Sets the room's current song for all members.
  ///
  /// - Parameter name: 1 to 40 characters, and at most 59 bytes; a longer name is cut. An empty name removes the
  ///   song.
  /// - Throws: `SessionRefusal.tooManyCells`; `SessionError.notJoined`.
  public static func setSong(_ name: String) throws {
    let done: Void? = try SessionServer.shared.perform { core, now throws(SessionRefusal) in
      try core.setSong(name, now: now)
    }
    guard done != nil else { throw SessionError.notJoined }
  }

  /// Calls `callback` when another member selects a song.
  ///
  /// - Parameter callback: receives the song, the member that selected it, and the time at which the selection arrived.
  /// - Returns: a token whose `cancel()` stops the calls.
  /// - Thread: the callback runs on `mo-session`, or on a thread that makes a request.
  @discardableResult
  public static func onSong(
    _ callback: @escaping @Sendable (_ song: String, _ by: MemberID, _ time: HostTime) -> Void
  ) -> MoToken {
    SessionServer.shared.heard.add { heard in
      guard case .cells(let cells) = heard.play,
        let song = SessionServer.shared.read({ core, _ in core.songSelection(by: heard.from, cells) }) ?? nil
      else { return }
      callback(song, heard.from, heard.time)
    }
  }
}

/// Rehearsal marks, which all members of the room share, including members that join later.
extension MoSession {
  /// The marks of the room, sorted by song and bar.
  public static var marks: [RehearsalMark] { SessionServer.shared.read { core, _ in core.marks } ?? [] }

  /// Sets a mark for all members, or removes it.
  ///
  /// - Throws: `SessionRefusal.tooManyCells`, `unknownMark`; `SessionError.notJoined`.
  public static func setMark(_ mark: RehearsalMark, _ isSet: Bool = true) throws {
    let done: Void? = try SessionServer.shared.perform { core, now throws(SessionRefusal) in
      try core.setMark(mark, isSet, now: now)
    }
    guard done != nil else { throw SessionError.notJoined }
  }

  /// Calls `callback` when another member sets or removes a mark.
  ///
  /// - Parameter callback: receives the mark, whether it is set, the member that changed it, and the time at which the
  ///   change arrived.
  /// - Returns: a token whose `cancel()` stops the calls.
  /// - Thread: the callback runs on `mo-session`, or on a thread that makes a request.
  @discardableResult
  public static func onMark(
    _ callback:
      @escaping @Sendable (_ mark: RehearsalMark, _ isSet: Bool, _ by: MemberID, _ time: HostTime) -> Void
  ) -> MoToken {
    SessionServer.shared.heard.add { heard in
      guard case .cells(let cells) = heard.play,
        let change = SessionServer.shared.read({ core, _ in core.markChange(by: heard.from, cells) }) ?? nil
      else { return }
      callback(change.mark, change.isSet, heard.from, heard.time)
    }
  }
}
