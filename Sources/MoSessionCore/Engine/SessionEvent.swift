import MoCore

/// What happened in a session.
public enum SessionEvent: Hashable, Sendable {
  /// Somebody is here.
  case joined(MemberID)
  /// Somebody has gone, saying so or not.
  case left(MemberID, said: Bool)
  /// Somebody conducts, or nobody does.
  case conductor(MemberID?)
  /// The music's course has changed: started, stopped, another tempo or meter, some of it still to come.
  case timeline
  /// The rhythm was started, here or by another; not where it ran already in a part of the room that was joined.
  case started
  /// Another member's clock is gone by.
  case keeper(MemberID)
  /// Two parts of the room become one at a moment: the beat moves to the other part's.
  case merging(at: HostTime)
  /// The parts are one.
  case merged
  /// A part of the room goes on beside ours, since neither leaves its music by itself: `joinOtherPart` decides.
  case apart(OtherPart)
  /// No part of the room goes on beside ours any more.
  case together
  /// The own clock was far off and moves at a moment.
  case correcting(at: HostTime)
  /// One's own sections are to be so loud, 0…1.
  case level(Float)
  /// Somebody has not got what we played: told once, and again only after something has come through.
  case undelivered(SessionLoss)
  /// So many members of the room are heard by others and not here, more than before.
  case outOfReach(Int)
  /// The room is silent from now on: a member called for it.
  case panic(from: MemberID)
  /// Our call for silence has ended: these members have not confirmed it.
  case panicEnded(unconfirmed: [UnconfirmedMember])
  /// The room may sound again: a rhythm was started, or a member that may conduct has lifted the silence.
  case panicLifted
  /// A member handed the baton to another.
  case handed(from: MemberID, to: MemberID)
  /// A member asks this one, which conducts, for the baton.
  case askedForBaton(by: MemberID)
  /// Somebody here speaks another version of the protocol.
  case otherVersion(Int32)
  /// Members on different machines have one installation: told once, and again if there are more.
  case shared(SharedInstallation)
  /// Our baton was not recognised: only one installation may conduct here.
  case refused(only: MemberID)
}
