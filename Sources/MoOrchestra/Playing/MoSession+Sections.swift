import MoCore
import MoMu
import MoSessionCore

/// Functions for sections: their levels, mutes and cues, and a list that shows which members of a section are silent,
/// late or lost.
extension MoSession {
  /// Sets the level of a section, 0…1, on the machines of its present and later members.
  ///
  /// On each of these machines, the level applies to all sound of the program, in addition to `MoAudio.level`.
  ///
  /// The caller needs the right to conduct: see `setGates`.
  ///
  /// - Throws: `SessionRefusal.unknownSection` (its text proposes the nearest name), `conducted`, `away`,
  ///   `reserved`, `closed`, `tooManySections`; `SessionError.notJoined`.
  public static func setLevel(_ level: Float, ofSection section: String) throws {
    try SessionServer.shared.request { core, now throws(SessionRefusal) in
      try core.setLevel(level, ofSection: section, now: now)
    }
  }

  /// Mutes a section, or restores its level.
  ///
  /// The caller needs the right to conduct: see `setGates`.
  ///
  /// - Throws: the same errors as `setLevel`.
  public static func setMuted(_ isMuted: Bool, section: String) throws {
    try SessionServer.shared.request { core, now throws(SessionRefusal) in
      try core.setMuted(isMuted, section: section, now: now)
    }
  }

  /// The levels of all sections, and the muted sections.
  public static var sectionLevels: SectionLevels {
    SessionServer.shared.read { core, _ in core.state.policy.sections } ?? SectionLevels()
  }

  /// Sends a cue to a section, to a member, or to all members: the signal to come in or to leave off, or a text.
  ///
  /// By default the cue is for the next bar line. The caller needs the right to conduct: see `setGates`.
  ///
  /// - Throws: `SessionRefusal.unknownSection`, `unknownName`, `unknownMember`, `emptySection`, `conducted`,
  ///   `away`, `reserved`, `closed`, `noRhythm`, `crowded`; `SessionError.notJoined`.
  public static func cue(
    _ sign: SessionCue.Sign, _ text: String = "", to aim: SessionAim, at moment: SessionMoment = .next(.bar)
  ) throws {
    let done: Void? = try SessionServer.shared.perform { core, now throws(SessionRefusal) in
      try core.play(.cue(SessionCue(sign, text)), to: aim, at: moment, now: now)
    }
    guard done != nil else { throw SessionError.notJoined }
  }

  /// Calls `callback` for every cue of a member that has the right to conduct, even if the cue arrives late.
  ///
  /// - Returns: a token whose `cancel()` stops the calls.
  /// - Thread: the callback runs on `mo-session`, or on a thread that makes a request.
  @discardableResult
  public static func onCue(_ callback: @escaping @Sendable (Heard<SessionCue>) -> Void) -> MoToken {
    SessionServer.shared.heard.add { heard in
      if case .cue(let cue) = heard.play { callback(Heard(heard, cue)) }
    }
  }

  /// Returns all members of a section, present or not, each with its state: playing, silent, late or lost.
  ///
  /// - Throws: `SessionRefusal.unknownSection`; `SessionError.notJoined`.
  public static func sectionRoster(_ section: String) throws -> [SectionPlace] {
    let roster = try SessionServer.shared.perform { core, now throws(SessionRefusal) in
      try core.sectionRoster(section, at: now)
    }
    guard let roster else { throw SessionError.notJoined }
    return roster
  }
}

extension Heard<SessionCue> {
  /// Returns the bar that the cue is for; nil if the cue applies immediately, or if no rhythm runs.
  public func bar(on beat: BeatClock) -> Int? {
    guard self.beat != nil else { return nil }
    return beat.position(at: time.advanced(byNanoseconds: 1_000_000))?.bar
  }
}
