import MoCore

/// All members of the room that are not hidden, with or without this member.
public enum SessionCrowd: Hashable, Sendable {
  /// All members, this one included.
  case everyone
  /// All members except this one.
  case others
}

/// The receivers of a play.
public enum SessionAim: Hashable, Sendable {
  /// All members in the room.
  case crowd(SessionCrowd)
  /// One member; the functions `member` make this case.
  case one(MemberChoice)
  /// The members of a section that are in the room now.
  case section(String)
  /// The other members that record a tape; for plays that sound nowhere else: see `SessionPlay.forTapes`.
  case recorders

  static let everyone = crowd(.everyone)
  static let others = crowd(.others)
}

/// The time at which a play sounds.
public enum SessionMoment: Hashable, Sendable {
  /// On arrival.
  case now
  /// At the first line of a grid for which all receivers get the play in time; immediately if no rhythm runs.
  case next(BeatGrid)
  /// At a beat of the running rhythm, counted from bar 1.
  case beat(Double)
  /// At a beat of the running rhythm.
  ///
  /// If that beat is too soon, the play sounds at the first time for which all receivers get it.
  case soonest(from: Double)
}

/// A play for this member, and the time at which it sounds.
public struct SessionHeard: Hashable, Sendable {
  /// The member that played it; may be this member.
  public var from: MemberID
  /// The play.
  public var play: SessionPlay
  /// The time at which it sounds here; if it came too late, the time at which it should have sounded.
  public var time: HostTime
  /// The beat for which it was meant; nil for immediately.
  public var beat: Double?
  /// Its lateness in seconds; 0 in time, infinite if its beat never comes.
  public var late: Double
  /// The weight of the gate that it passed, 0…1.
  ///
  /// The strength of the play (force, velocity or activity) is already multiplied by this weight. A change of a
  /// parameter is not: the parameter moves by this fraction of the way to its new value.
  public var weight: Float

  /// Creates a play, as a room or a tape delivers it.
  public init(
    from: MemberID, play: SessionPlay, time: HostTime, beat: Double? = nil, late: Double = 0,
    weight: Float = 1
  ) {
    (self.from, self.play, self.time) = (from, play, time)
    (self.beat, self.late, self.weight) = (beat, late, weight)
  }
}
