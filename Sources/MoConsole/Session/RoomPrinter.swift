import MoMu
import MoSessionCore

/// A printer that logs a line for each action of a member that matters to a player and is not in the status line.
package enum RoomPrinter {
  /// Starts to log notices of members' actions, such as `Ada hands the baton to Ben`, and of received texts.
  ///
  /// If `isPlain`, `StatusPrinter` prints the conductor, the end of a silence and new members, so this printer does not.
  package static func begin(isPlain: Bool) {
    MoSession.onEvent { event in
      if case .askedForBaton(let id) = event { lastAsker.withLock { $0 = id } }
      guard let text = text(of: event, name: name) else { return }
      if isPlain, isInFacts(event) || text == KnownNames.noContact { return }
      MoLog.log(.notice, text)
    }
    MoSession.onMark { mark, isSet, id, _ in
      MoLog.log(.notice, MarkPicture.sentence(mark, isSet: isSet, by: name(id)))
    }
    MoSession.onSong { song, id, _ in MoLog.log(.notice, "\(name(id)) selects the song \(song)".printable) }
    MoSession.onText { text in
      MoLog.log(.notice, TalkLine.received(text.played, from: name(text.from)))
    }
  }

  private static let lastAsker = Locked<MemberID?>(nil)

  /// The name of the member that asked for the baton last; nil for none, or if that member has left or conducts now.
  package static var asker: String? {
    let id = lastAsker.withLock { $0 }
    return MoSession.members.first { $0.identity.member == id && !$0.isConductor }?.displayName
  }

  private static func name(_ id: MemberID) -> String {
    KnownNames.name(id)
      ?? (SessionServer.shared.read { core, _ in core.hiddenName(of: id).map { "\($0), a hidden member," } }
        ?? nil)
      ?? "a hidden member"
  }

  /// Returns whether the facts that `StatusPrinter` compares contain the event.
  package static func isInFacts(_ event: SessionEvent) -> Bool {
    switch event {
    case .conductor, .panicLifted, .joined: true
    default: false
    }
  }

  /// Returns the line about an event; nil if the event has no line.
  package static func text(of event: SessionEvent, name: (MemberID) -> String) -> String? {
    switch event {
    case .handed(let from, let to): "\(name(from)) hands the baton to \(name(to))"
    case .askedForBaton(let id):
      "\(name(id)) asks for the baton: type :give \(name(id)) to hand it over (in Orchestra, B and Enter)"
    case .conductor(let id?): "\(name(id)) conducts"
    case .left(let id, let saidGoodbye): KnownNames.sentence(name(id), left: saidGoodbye)
    case .joined(let id): KnownNames.sentence(joined: id)
    case .panic(let id): "\(name(id)) silences the room"
    // The session itself reports the members that did not confirm.
    case .panicEnded(let unconfirmed): unconfirmed.isEmpty ? "all members are silent" : nil
    case .panicLifted: "the silence is over"
    default: nil
    }
  }
}
