import MoCore
import MoMu
import MoSessionCore

/// Lines of text that players type for each other.
extension MoSession {
  /// Sends a line of up to 200 characters to all other members, to one of them, or to a section.
  ///
  /// The line is retransmitted until it is acknowledged, for 5 s at most. A member does not receive it if the gate
  /// for notes to this member is closed, or if this member ignores you. A call for silence or a muted section does
  /// not stop a line. At most 4 lines a second are sent.
  ///
  /// - Returns: the names of the members that do not receive the line because of closed gates.
  /// - Throws: `SessionRefusal.emptyText`, `longText`, `hastyText`, `unheardText`, `alone`, `unknownName`,
  ///   `unknownSection`, `emptySection`, `crowded`; `SessionError.notJoined`.
  @discardableResult
  public static func say(_ words: String, to aim: SessionAim = .crowd(.others)) throws -> [String] {
    let kept = try SessionServer.shared.perform { core, now throws(SessionRefusal) in
      try core.say(words, to: aim, now: now)
    }
    guard let kept else { throw SessionError.notJoined }
    return kept
  }

  /// Calls `callback` for every line that another player types for this member.
  ///
  /// Escape the text with `String.printable` before you show it, as `MoLog` does.
  @discardableResult
  public static func onText(_ callback: @escaping @Sendable (Heard<SessionText>) -> Void) -> MoToken {
    SessionServer.shared.heard.add { heard in
      if case .text(let text) = heard.play { callback(Heard(heard, text)) }
    }
  }
}
