import MoCore

/// A play that this member received, and the time at which it sounds.
public struct SessionHeard: Hashable, Sendable {
  /// The member that sent the play; it can be this member.
  public var from: MemberID
  /// The play.
  public var play: SessionPlay
  /// The time at which the play sounds on this machine.
  ///
  /// If the play came too late, this is the time at which it should have sounded.
  public var time: HostTime
  /// The beat for which the play was meant; nil for immediately.
  public var beat: Double?
  /// The lateness of the play in seconds; 0 if the play came in time.
  ///
  /// The value is infinite if the music never reaches the beat of the play.
  public var late: Double
  /// The weight of the gate that the play passed, 0…1.
  ///
  /// The strength of the play (force, velocity or activity) is already multiplied by this weight. A change of a
  /// parameter is not multiplied: the parameter moves by this fraction of the way to its new value.
  public var weight: Float

  /// Creates a received play from its parts, as a room or a tape delivers it.
  public init(
    from: MemberID, play: SessionPlay, time: HostTime, beat: Double? = nil, late: Double = 0,
    weight: Float = 1
  ) {
    (self.from, self.play, self.time) = (from, play, time)
    (self.beat, self.late, self.weight) = (beat, late, weight)
  }
}
