import MoCore
import MoMu
import MoSessionCore

/// Leading sections: how loud they are, which are silent, signs to them, and who in them is silent, late or lost.
///
/// Who may conduct may lead: see `setGates`.
extension MoSession {
  /// Sets how loud a section is, 0…1, on the machines of all who are in it, now or later.
  ///
  /// It is `MoAudio.level` there: all that such a machine plays.
  ///
  /// - Throws: `SessionRefusal.unknownSection`, which proposes the nearest name, `conducted`, `reserved`, `closed`,
  ///   `tooManySections`, `arriving`; `SessionError.notJoined`.
  public static func setLevel(_ level: Float, ofSection section: String) throws {
    try lead { core, now throws(SessionRefusal) in try core.setLevel(level, ofSection: section, now: now) }
  }

  /// Silences a section, or lets it be heard as loud as it was set.
  ///
  /// - Throws: as `setLevel`.
  public static func setMuted(_ isMuted: Bool, section: String) throws {
    try lead { core, now throws(SessionRefusal) in try core.setMuted(isMuted, section: section, now: now) }
  }

  /// How loud sections are, and which are silent.
  public static var sectionLevels: SectionLevels {
    SessionServer.shared.look { core, _ in core.state.policy.sections } ?? SectionLevels()
  }

  /// Gives a section, a crowd or somebody a sign: to come in, to leave off, or words, for the next bar line if not said
  /// otherwise.
  ///
  /// - Throws: `SessionRefusal.unknownSection`, `unknownName`, `emptySection`, `conducted`, `reserved`, `closed`,
  ///   `crowded`; `SessionError.notJoined`.
  public static func cue(
    _ sign: SessionCue.Sign, _ text: String = "", to aim: SessionAim, at moment: SessionMoment = .next(.bar)
  ) throws {
    try lead { core, now throws(SessionRefusal) in
      try core.play(.cue(SessionCue(sign, text)), to: aim, at: moment, now: now)
    }
  }

  /// Calls `callback` for every sign of who leads, late or not.
  @discardableResult
  public static func onCue(_ callback: @escaping @Sendable (Heard<SessionCue>) -> Void) -> MoToken {
    SessionServer.shared.heard.add { heard in
      if case .cue(let cue) = heard.play { callback(Heard(heard, cue)) }
    }
  }

  /// Everybody who was assigned to a section, here or not, and who of them is silent, late or lost.
  ///
  /// - Throws: `SessionRefusal.unknownSection`; `SessionError.notJoined`.
  public static func sectionRoster(_ section: String) throws -> [SectionPlace] {
    let roster = try SessionServer.shared.perform { core, now throws(SessionRefusal) in
      try core.sectionRoster(section, at: now)
    }
    guard let roster else { throw SessionError.notJoined }
    return roster
  }

  private static func lead(
    _ body: (inout SessionCore, HostTime) throws(SessionRefusal) -> Void
  ) throws {
    guard try SessionServer.shared.perform(body) != nil else { throw SessionError.notJoined }
  }
}

extension Heard<SessionCue> {
  /// The bar that the sign is for; nil for at once, and where no rhythm runs.
  public func bar(on beat: BeatClock) -> Int? {
    guard self.beat != nil else { return nil }
    return beat.position(at: time.advanced(byNanoseconds: 1_000_000))?.bar
  }
}
