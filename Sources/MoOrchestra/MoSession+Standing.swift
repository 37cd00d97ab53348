import MoCore
import MoMu
import MoSessionCore

/// How this member stands in the room: what a screen says first.
extension MoSession {
  /// The member whose call for silence holds, and since when; nil while sound is allowed.
  public static var silenced: (by: MemberID, since: HostTime)? {
    SessionServer.shared.look { core, _ in core.silenced } ?? nil
  }

  /// The muted sections that this member is in: what it plays sounds on no machine.
  public static var mutedSections: [String] {
    SessionServer.shared.look { core, _ in core.mutedSections } ?? []
  }

  /// Whether this member is in a muted section.
  public static var isMuted: Bool { !mutedSections.isEmpty }

  /// That no other member has been heard for some time; nil while one is heard, or before one was.
  public static var lostContact: LostContact? {
    SessionServer.shared.look { core, now in core.lostContact(at: now) } ?? nil
  }

  /// The members that were gone without a word in the last quarter of an hour, and have not come back: by name.
  public static var missing: [UnconfirmedMember] {
    SessionServer.shared.look { core, now in core.missing(at: now) } ?? []
  }

  /// The last cue, while it is to be shown.
  public static var cue: PendingCue? {
    let now = Run.current.clock.now
    return SessionServer.shared.cue.withLock { $0 }.flatMap {
      $0.beatsLeft(on: beat, at: now) == nil ? nil : $0
    }
  }

  /// The rhythm as it was announced last: wishes count from it, since what is heard follows within a bar.
  public static var announced: AnnouncedRhythm {
    SessionServer.shared.look { core, _ in core.announced } ?? AnnouncedRhythm()
  }

  /// What of this member's influence on all is stopped by a gate: the kinds whose weight is 0.
  public static var closedGates: [GateKind] {
    SessionServer.shared.look { core, _ in
      let mine = core.settings.identity.installation
      return GateKind.allCases.filter { core.state.policy.gates.weight($0, from: mine) == 0 }
    } ?? []
  }

  /// What this program kept under a name before it was killed, or since; nil for nothing.
  ///
  /// It is there after `join`, and forgotten once the program ends properly.
  public static func kept(_ name: String) -> String? { SessionServer.shared.kept(name) }

  /// Keeps a short text under a name in case the program is killed; nil takes it back.
  ///
  /// At most 64 are kept, each of 80 bytes at most, and names without spaces; nothing happens before a room was joined.
  public static func keep(_ value: String?, as name: String) { SessionServer.shared.keep(value, as: name) }
}
