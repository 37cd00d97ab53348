import MoCore
import MoMu
import MoSessionCore

/// Functions that play on the instruments of the room's members: for all with a `SessionCrowd`, for a named member or a
/// section with a `SessionAim`.
extension MoSession {
  // MARK: to all

  /// Strikes an instrument of every member; does nothing before a room is joined.
  ///
  /// - Parameters:
  ///   - force: the force of the strike, clamped to 0…1; NaN counts as 0.
  ///   - drum: the number of the receiver's drum, clamped to 0…127; 0 for a strike without a drum.
  ///   - instrument: the shared name of an instrument at the receiver; empty for every instrument that the receiver
  ///     shares.
  ///   - crowd: `everyone`, or only the `others`, without this member.
  ///   - moment: when the strike sounds. If this is a line of a grid and no rhythm runs, the strike sounds immediately.
  public static func strike(
    _ force: Float, drum: Int = 0, on instrument: String = "", to crowd: SessionCrowd,
    at moment: SessionMoment = .now
  ) {
    playOrLog(.hit(SessionHit(force: force, drum: drum, instrument: instrument)), crowd, moment)
  }

  /// Plays a note on an instrument of every member; does nothing before a room is joined.
  ///
  /// - Parameters:
  ///   - pitch: a MIDI note number, clamped to 0…127; fractions are allowed, and NaN counts as 0.
  ///   - velocity: the velocity, clamped to 0…1; 0 and NaN release the note.
  ///   - length: the length of the note in beats, clamped to 0…256; with length 0, it sounds until it is released.
  ///   - instrument: the shared name of an instrument at the receiver; empty for every instrument that the receiver
  ///     shares.
  ///   - crowd: `everyone`, or only the `others`, without this member.
  ///   - moment: when the note sounds. If this is a line of a grid and no rhythm runs, the note sounds immediately.
  public static func playNote(
    _ pitch: Float, velocity: Float = 0.8, length: Beats = 0, on instrument: String = "",
    to crowd: SessionCrowd, at moment: SessionMoment = .now
  ) {
    playOrLog(
      .note(
        SessionNote(pitch: pitch, velocity: velocity, length: Float(length.count), instrument: instrument)),
      crowd,
      moment)
  }

  /// Sets a parameter of the instruments of every member, or of every other member.
  ///
  /// The call does nothing before a room is joined.
  ///
  /// - Parameters:
  ///   - name: the name of the parameter, such as `brightness`.
  ///   - value: the new value, in the unit and range of the parameter. If the gate `modification` to a receiver has a
  ///     weight of 0.3, for example, the receiver's parameter moves only 30 % of the way to `value`.
  ///   - instrument: the shared name of an instrument at the receiver; empty for every instrument that the receiver
  ///     shares.
  ///   - crowd: `everyone`, or only the `others`, without this member.
  ///   - moment: when the change takes effect.
  public static func setParameter(
    _ name: String, to value: Float, on instrument: String = "", of crowd: SessionCrowd,
    at moment: SessionMoment = .now
  ) {
    playOrLog(.change(SessionChange(name, value, instrument: instrument)), crowd, moment)
  }

  /// Sends a melody of at most 64 notes to every member, or to every other member.
  ///
  /// The receivers can repeat and change the melody.
  ///
  /// - Parameters:
  ///   - melody: the notes, with their beats.
  ///   - crowd: `everyone`, or only the `others`, without this member.
  ///   - moment: when the melody begins.
  /// - Throws: `SessionRefusal.tooLong`, `badInstrument`, `noRhythm`, `crowded`; `SessionError.notJoined`.
  public static func sendMelody(
    _ melody: SessionMelody, to crowd: SessionCrowd, at moment: SessionMoment = .now
  ) throws {
    try play(.melody(melody), to: .crowd(crowd), at: moment)
  }

  // MARK: to a member

  /// Strikes an instrument of a member, or of the members of a section.
  ///
  /// The parameters are those of `strike` for every member.
  ///
  /// - Throws: `SessionRefusal.unknownName`, `unknownMember`, `unknownSection`, `emptySection`,
  ///   `badInstrument`, `noRhythm`, `crowded`; `SessionError.notJoined`.
  public static func strike(
    _ force: Float, drum: Int = 0, on instrument: String = "", to aim: SessionAim,
    at moment: SessionMoment = .now
  ) throws {
    try play(.hit(SessionHit(force: force, drum: drum, instrument: instrument)), to: aim, at: moment)
  }

  /// Plays a note on an instrument of a member, or of the members of a section.
  ///
  /// The parameters are those of `playNote` for every member, with the same ranges.
  ///
  /// - Throws: `SessionRefusal.unknownName`, `unknownMember`, `unknownSection`, `emptySection`,
  ///   `badInstrument`, `noRhythm`, `crowded`; `SessionError.notJoined`.
  public static func playNote(
    _ pitch: Float, velocity: Float = 0.8, length: Beats = 0, on instrument: String = "", to aim: SessionAim,
    at moment: SessionMoment = .now
  ) throws {
    try play(
      .note(
        SessionNote(pitch: pitch, velocity: velocity, length: Float(length.count), instrument: instrument)),
      to: aim,
      at: moment)
  }

  /// Sets a parameter of the instrument of a member, or of the members of a section.
  ///
  /// - Throws: `SessionRefusal.unknownName`, `unknownMember`, `unknownSection`, `emptySection`,
  ///   `badInstrument`, `badParameter`, `noRhythm`, `crowded`; `SessionError.notJoined`.
  public static func setParameter(
    _ name: String, to value: Float, on instrument: String = "", of aim: SessionAim,
    at moment: SessionMoment = .now
  ) throws {
    try play(.change(SessionChange(name, value, instrument: instrument)), to: aim, at: moment)
  }

  /// Sends a melody of at most 64 notes to a member, or to the members of a section.
  ///
  /// - Throws: `SessionRefusal.unknownName`, `unknownMember`, `unknownSection`, `emptySection`,
  ///   `badInstrument`, `tooLong`, `noRhythm`, `crowded`; `SessionError.notJoined`.
  public static func sendMelody(
    _ melody: SessionMelody, to aim: SessionAim, at moment: SessionMoment = .now
  ) throws {
    try play(.melody(melody), to: aim, at: moment)
  }

  /// Sends your movement to a member or a section.
  ///
  /// If you send more than 50 gestures a second, some of them are dropped.
  ///
  /// - Throws: `SessionRefusal.unknownName`, `unknownMember`, `unknownSection`, `emptySection`, `crowded`;
  ///   `SessionError.notJoined`.
  public static func sendGesture(_ gesture: SessionGesture, to aim: SessionAim) throws {
    try play(.gesture(gesture), to: aim, at: .now)
  }

  /// Sends a play to all members, or to all others; logs a refusal, and does nothing before a room is joined.
  private static func playOrLog(_ what: SessionPlay, _ crowd: SessionCrowd, _ moment: SessionMoment) {
    do throws(SessionRefusal) {
      _ = try SessionServer.shared.perform { core, now throws(SessionRefusal) -> Double? in
        try core.play(what, to: .crowd(crowd), at: moment, now: now)
      }
    } catch {
      MoLog.log(.notice, "\(error)")
    }
  }

  /// Sends a strike, note, melody or other play to members, and returns the beat at which it takes effect for all
  /// receivers; nil if it takes effect immediately.
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

extension SessionGesture {
  /// Creates a gesture from a motion, a reading of the accelerometer.
  public init(_ motion: Motion) {
    self.init(activity: motion.activity, roll: motion.tilt.roll, pitch: motion.tilt.pitch)
  }
}

extension Motion {
  /// Creates the motion that a gesture describes, to play an instrument by the movement of another machine.
  ///
  /// The motion has only the orientation and the amount of movement, because a gesture does not contain single
  /// readings of the sensor.
  public init(_ gesture: SessionGesture, at time: HostTime) {
    let tilt = Tilt(pitch: gesture.pitch, roll: gesture.roll)
    let up = tilt.up
    // Activity is half the mean movement in g, energy the mean of its square.
    self.init(
      time: time, x: up.x, y: up.y, z: up.z, tilt: tilt,
      activity: gesture.activity, energy: 4 * gesture.activity * gesture.activity)
  }
}

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
  ///   `unknownMember`, `unknownSection`, `emptySection`, `crowded`; `SessionError.notJoined`.
  @discardableResult
  public static func say(_ words: String, to aim: SessionAim = .crowd(.others)) throws -> [String] {
    let kept = try SessionServer.shared.perform { core, now throws(SessionRefusal) in
      try core.sendText(words, to: aim, now: now)
    }
    guard let kept else { throw SessionError.notJoined }
    return kept
  }

  /// Calls `callback` for every line that another player types for this member.
  ///
  /// Escape the text with `String.printable` before you show it, as `MoLog` does.
  ///
  /// - Returns: a token whose `cancel()` stops the calls.
  /// - Thread: the callback runs on `mo-session`, or on a thread that makes a request.
  @discardableResult
  public static func onText(_ callback: @escaping @Sendable (Heard<SessionText>) -> Void) -> MoToken {
    SessionServer.shared.heard.add { heard in
      if case .text(let text) = heard.play { callback(Heard(heard, text)) }
    }
  }
}
