import MoCore
import MoMu
import MoSessionCore

/// Lines that players type for each other.
extension MoSession {
  /// Sends a line of up to 200 characters to all others, to one of them, or to a section.
  ///
  /// It is sent again until it is acknowledged, for 5 s. A closed gate for notes keeps it from a member, and so does
  /// `ignore` there. A call for silence or a muted section does not. At most 4 lines a second are sent.
  ///
  /// - Returns: the names of the members from which closed gates keep it.
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
  /// Text from outside is shown by `String.printable`, as `MoLog` does.
  @discardableResult
  public static func onText(_ callback: @escaping @Sendable (Heard<SessionText>) -> Void) -> MoToken {
    SessionServer.shared.heard.add { heard in
      if case .text(let text) = heard.play { callback(Heard(heard, text)) }
    }
  }
}
