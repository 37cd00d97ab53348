import MoCore
import MoMu
import MoSessionCore

/// Rehearsal marks, which all members of the room share, including members that join later.
extension MoSession {
  /// The marks of the room, sorted by song and bar.
  public static var marks: [RehearsalMark] { SessionServer.shared.look { core, _ in core.marks } ?? [] }

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
  @discardableResult
  public static func onMark(
    _ callback: @escaping @Sendable (_ mark: RehearsalMark, _ isSet: Bool, _ by: MemberID) -> Void
  ) -> MoToken {
    SessionServer.shared.heard.add { heard in
      guard case .cells(let cells) = heard.play,
        let told = SessionServer.shared.look({ core, _ in core.markTold(by: heard.from, cells) }) ?? nil
      else { return }
      callback(told.mark, told.isSet, heard.from)
    }
  }
}
