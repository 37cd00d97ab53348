import MoCore

/// All who are in the room, and are shown.
public enum SessionCrowd: Hashable, Sendable {
  /// Everybody, this member too.
  case everyone
  /// Everybody but this member.
  case others
}

/// The members that something is for.
public enum SessionAim: Hashable, Sendable {
  /// All who are in the room.
  case crowd(SessionCrowd)
  /// One member.
  case member(MemberID)
  /// One member, by the name that is shown.
  case named(String)
  /// Those of a section who are here.
  case section(String)
  /// The other members that keep a tape, for what is written on it and sounds nowhere: see `SessionPlay.forTapes`.
  case recorders

  static let everyone = crowd(.everyone)
  static let others = crowd(.others)
}

/// When something that is played is to sound.
public enum SessionMoment: Hashable, Sendable {
  /// As soon as it comes.
  case now
  /// At the first line of a grid that all receivers can be told of in time; at once if no rhythm runs.
  case next(BeatGrid)
  /// At a beat of the rhythm that runs, counted from bar 1.
  case beat(Double)
  /// At a beat of the rhythm that runs or, if that is too soon, the first moment that everybody it is for can keep.
  case soonest(from: Double)
}

/// Something that was played for us, and when it is to sound.
public struct SessionHeard: Hashable, Sendable {
  /// The member that played it; this member, too.
  public var from: MemberID
  /// What.
  public var play: SessionPlay
  /// When it is to sound here; if it came too late, when it should have.
  public var time: HostTime
  /// The beat it was meant for; nil for at once.
  public var beat: Double?
  /// By how many seconds it came too late; 0 in time, infinite if its beat never comes.
  public var late: Double
  /// How open the gate is that it came through, 0…1; what is played is weakened already, a change is to go so much of
  /// its way.
  public var weight: Float

  /// Something that was played, as it comes out of a room or off a tape.
  public init(
    from: MemberID, play: SessionPlay, time: HostTime, beat: Double? = nil, late: Double = 0,
    weight: Float = 1
  ) {
    (self.from, self.play, self.time) = (from, play, time)
    (self.beat, self.late, self.weight) = (beat, late, weight)
  }
}
