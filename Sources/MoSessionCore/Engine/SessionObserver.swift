import MoCore

/// Something that an observer of a session is told of, at the moment at which it happens.
package enum SessionNotice: Sendable {
  /// Something was played for this member, or shared by another.
  case heard(SessionHeard)
  /// This member plays something for others, or shares it.
  case sent(SessionPlay, SessionAim, isForMe: Bool, stamp: PlayStamp?)
  /// A member moves so much, 0…1.
  case activity(MemberID, Float)
  /// A member asks for silence.
  case panic(MemberID)
  /// A member has come or gone.
  case roster
}

/// Is told what happens in a session, as a recorder is.
///
/// - Thread: the session's owner.
package protocol SessionObserver: Sendable {
  /// Takes in what happens at `now`, with the session as it is then.
  mutating func take(_ notice: SessionNotice, of core: SessionCore, at now: HostTime)
}
