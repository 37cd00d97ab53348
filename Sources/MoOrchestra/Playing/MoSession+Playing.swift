import MoCore
import MoMu
import MoSessionCore

/// What is played for others. Each way of playing is there twice: for a crowd, which cannot fail, and for somebody, who
/// may not be there. For a crowd nothing happens before a room was joined.
extension MoSession {
  // MARK: to all

  /// Strikes something on everybody's machine.
  ///
  /// - Parameters:
  ///   - force: how hard, 0…1.
  ///   - drum: which of the receiver's drums, 0…127; 0 for a stroke without one.
  ///   - instrument: which of the receiver's instruments; empty for whatever it plays.
  ///   - moment: when it is to sound; on a grid at once where no rhythm runs.
  public static func hit(
    _ force: Float, drum: Int = 0, on instrument: String = "", to crowd: SessionCrowd,
    at moment: SessionMoment = .now
  ) {
    tell(.hit(SessionHit(force: force, drum: drum, instrument: instrument)), crowd, moment)
  }

  /// Plays a note on everybody's machine.
  ///
  /// - Parameters:
  ///   - pitch: as MIDI counts, 0…127.
  ///   - velocity: how hard, 0…1; 0 lets it go.
  ///   - length: in beats; 0 until it is let go.
  public static func note(
    _ pitch: Float, velocity: Float = 0.8, length: Float = 0, on instrument: String = "",
    to crowd: SessionCrowd, at moment: SessionMoment = .now
  ) {
    tell(
      .note(SessionNote(pitch: pitch, velocity: velocity, length: length, instrument: instrument)), crowd,
      moment)
  }

  /// Alters a parameter of everybody's instrument.
  public static func change(
    _ name: String, to value: Float, on instrument: String = "", of crowd: SessionCrowd,
    at moment: SessionMoment = .now
  ) {
    tell(.change(SessionChange(name, value, instrument: instrument)), crowd, moment)
  }

  /// Sends everybody a melody of 64 notes at most, to be repeated and changed there.
  ///
  /// - Throws: `SessionRefusal.tooLong`.
  public static func melody(
    _ melody: SessionMelody, to crowd: SessionCrowd, at moment: SessionMoment = .now
  ) throws {
    try play(.melody(melody), to: .crowd(crowd), at: moment)
  }

  // MARK: to somebody

  /// Strikes something on somebody's machine.
  ///
  /// - Throws: `SessionRefusal.unknownName`, `unknownMember`, `crowded`; `SessionError.notJoined`.
  public static func hit(
    _ force: Float, drum: Int = 0, on instrument: String = "", to aim: SessionAim,
    at moment: SessionMoment = .now
  ) throws {
    try play(.hit(SessionHit(force: force, drum: drum, instrument: instrument)), to: aim, at: moment)
  }

  /// Plays a note on somebody's machine.
  ///
  /// - Throws: `SessionRefusal.unknownName`, `unknownMember`, `crowded`; `SessionError.notJoined`.
  public static func note(
    _ pitch: Float, velocity: Float = 0.8, length: Float = 0, on instrument: String = "", to aim: SessionAim,
    at moment: SessionMoment = .now
  ) throws {
    try play(
      .note(SessionNote(pitch: pitch, velocity: velocity, length: length, instrument: instrument)), to: aim,
      at: moment)
  }

  /// Alters a parameter of somebody's instrument.
  ///
  /// - Throws: `SessionRefusal.unknownName`, `unknownMember`, `badParameter`; `SessionError.notJoined`.
  public static func change(
    _ name: String, to value: Float, on instrument: String = "", of aim: SessionAim,
    at moment: SessionMoment = .now
  ) throws {
    try play(.change(SessionChange(name, value, instrument: instrument)), to: aim, at: moment)
  }

  /// Sends somebody a melody of 64 notes at most.
  ///
  /// - Throws: `SessionRefusal.unknownName`, `unknownMember`, `tooLong`; `SessionError.notJoined`.
  public static func melody(
    _ melody: SessionMelody, to aim: SessionAim, at moment: SessionMoment = .now
  ) throws {
    try play(.melody(melody), to: aim, at: moment)
  }

  /// Tells somebody how one moves, 50 times a second at most.
  ///
  /// - Throws: `SessionRefusal.unknownName`, `unknownMember`; `SessionError.notJoined`.
  public static func gesture(_ gesture: SessionGesture, to aim: SessionAim) throws {
    try play(.gesture(gesture), to: aim, at: .now)
  }

  private static func tell(_ what: SessionPlay, _ crowd: SessionCrowd, _ moment: SessionMoment) {
    do {
      try play(what, to: .crowd(crowd), at: moment)
    } catch SessionError.notJoined {
    } catch {
      MoLog.log(.notice, "\(error)")
    }
  }

  /// Plays something; the beat for which all are to hear it, nil for at once.
  ///
  /// - Throws: `SessionRefusal`, `SessionError.notJoined`.
  @discardableResult
  package static func play(_ what: SessionPlay, to aim: SessionAim, at moment: SessionMoment) throws
    -> Double?
  {
    let beat: Double?? = try SessionServer.shared.perform { core, now throws(SessionRefusal) -> Double? in
      try core.play(what, to: aim, at: moment, now: now)
    }
    guard let beat else { throw SessionError.notJoined }
    return beat
  }
}
