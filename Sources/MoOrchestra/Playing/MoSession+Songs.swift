import MoCore
import MoMu
import MoSessionCore

/// The song that the room rehearses, which all members of the room share, including members that join later.
extension MoSession {
  /// The room's current song; nil for none, and outside a room.
  public static var song: String? { SessionServer.shared.look { core, _ in core.song } ?? nil }

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
  @discardableResult
  public static func onSong(
    _ callback: @escaping @Sendable (_ song: String, _ by: MemberID) -> Void
  ) -> MoToken {
    SessionServer.shared.heard.add { heard in
      guard case .cells(let cells) = heard.play,
        let song = SessionServer.shared.look({ core, _ in core.songTold(by: heard.from, cells) }) ?? nil
      else { return }
      callback(song, heard.from)
    }
  }
}
