import MoMu
import MoSessionCore

/// Reports members' actions that a player must know and that the status line does not keep, a line each.
package enum RoomPrinter {
  /// Starts to report them in the program's messages.
  package static func begin() {
    MoSession.onEvent { event in
      guard let text = text(of: event, name: name) else { return }
      MoLog.log(.notice, text)
    }
    MoSession.onMark { mark, isSet, id in
      MoLog.log(.notice, MarkPicture.told(mark, isSet: isSet, by: name(id)))
    }
    MoSession.onText { text in
      MoLog.log(.notice, TalkLine.heard(text.played, from: name(text.from)))
    }
  }

  private static func name(_ id: MemberID) -> String {
    MoSession.members.first { $0.identity.member == id }?.displayName ?? "a hidden member"
  }

  static func text(of event: SessionEvent, name: (MemberID) -> String) -> String? {
    switch event {
    case .handed(let from, let to): "\(name(from)) hands the baton to \(name(to))"
    case .askedForBaton(let id): "\(name(id)) asks for the baton: type B, the name and Enter to hand it over"
    case .conductor(let id?): "\(name(id)) conducts"
    case .panic(let id): "\(name(id)) silences the room"
    case .panicLifted: "the silence is over"
    default: nil
    }
  }
}
