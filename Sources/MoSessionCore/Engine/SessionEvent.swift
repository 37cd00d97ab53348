import MoCore

/// What happened in a session.
public enum SessionEvent: Hashable, Sendable {
  /// A member is here.
  case joined(MemberID)
  /// A member has gone, saying so or not.
  case left(MemberID, said: Bool)
  /// Another member conducts, or none does.
  case conductor(MemberID?)
  /// The music's course has changed: started, stopped, another tempo or meter, some of it still to come.
  case timeline
  /// The rhythm was started, here or by another; not if it ran already in a part of the room that was joined.
  case started
  /// Another member keeps the clock.
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
  /// A member has not received what we played: reported once, and again only after something has come through.
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
  /// A member here speaks another version of the protocol.
  case otherVersion(Int32)
  /// Members on different machines have one installation: told once, and again if there are more.
  case shared(SharedInstallation)
  /// Our baton was not recognised: only one installation may conduct here.
  case refused(only: MemberID)
}

/// What came in, and what became of it.
public struct SessionCounts: Hashable, Sendable {
  /// Datagrams that came.
  public var received = 0
  /// Those that are no message of the protocol, or a broken one.
  public var malformed = 0
  /// Those of another version of the protocol.
  public var otherVersion = 0
  /// Those of strangers, of members that are ignored, and answers nobody asked for.
  public var unwanted = 0
  /// Those with another's signature, a false one, or none in a locked room.
  public var forged = 0
  /// Those whose signature was not looked at, since too many came.
  public var unverified = 0
  /// What was played for us and came after its beat.
  public var late = 0
  /// What was kept out by a gate.
  public var gated = 0
  /// What others played although their section is muted, or the room silent.
  public var silenced = 0
  /// What was played here and not sent, since our section is muted, or the room silent.
  public var withheld = 0
  /// What we played that was given up, or had no room in a line.
  public var undelivered = 0
}

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
  mutating func receive(_ notice: SessionNotice, of core: SessionCore, at now: HostTime)
}
