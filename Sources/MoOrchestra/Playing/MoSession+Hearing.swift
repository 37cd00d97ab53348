import MoCore
import MoMu
import MoSessionCore

/// What is heard of others, and of oneself where one plays for everybody.
///
/// Each is handed over 0.15 s before its beat and bears the moment at which it is to sound. Callbacks run on
/// `mo-session`, or on the thread that played.
extension MoSession {
  /// Calls `callback` for every hit that came in time.
  @discardableResult
  public static func onHit(_ callback: @escaping @Sendable (Heard<SessionHit>) -> Void) -> MoToken {
    SessionServer.shared.heard.add { heard in
      if case .hit(let hit) = heard.play, heard.late == 0 { callback(Heard(heard, hit)) }
    }
  }

  /// Calls `callback` for every note that came in time, and for every one that is let go, late or not.
  @discardableResult
  public static func onNote(_ callback: @escaping @Sendable (Heard<SessionNote>) -> Void) -> MoToken {
    SessionServer.shared.heard.add { heard in
      guard case .note(let note) = heard.play else { return }
      if heard.late == 0 || note.velocity == 0 { callback(Heard(heard, note)) }
    }
  }

  /// Calls `callback` when somebody alters a parameter of ours, late or not.
  @discardableResult
  public static func onChange(_ callback: @escaping @Sendable (Heard<SessionChange>) -> Void) -> MoToken {
    SessionServer.shared.heard.add { heard in
      if case .change(let change) = heard.play { callback(Heard(heard, change)) }
    }
  }

  /// Calls `callback` for every melody, late or not.
  @discardableResult
  public static func onMelody(_ callback: @escaping @Sendable (Heard<SessionMelody>) -> Void) -> MoToken {
    SessionServer.shared.heard.add { heard in
      if case .melody(let melody) = heard.play { callback(Heard(heard, melody)) }
    }
  }

  /// Calls `callback` when somebody tells how it moves.
  @discardableResult
  public static func onGesture(_ callback: @escaping @Sendable (Heard<SessionGesture>) -> Void) -> MoToken {
    SessionServer.shared.heard.add { heard in
      if case .gesture(let gesture) = heard.play { callback(Heard(heard, gesture)) }
    }
  }

  /// Calls `callback` for all that came after its beat, or whose beat never comes.
  @discardableResult
  public static func onLate(_ callback: @escaping @Sendable (Heard<SessionPlay>) -> Void) -> MoToken {
    SessionServer.shared.heard.add { heard in
      if heard.late > 0 { callback(Heard(heard, heard.play)) }
    }
  }
}
