import MoCore

/// An event of a session.
public enum SessionEvent: Hashable, Sendable {
  /// A member was found: it has just joined, or it was in the room already.
  case joined(MemberID)
  /// A member has left, with a goodbye (`said`) or without.
  case left(MemberID, said: Bool)
  /// The conductor has changed; nil if no member conducts, or if this member does not hear the conductor.
  case conductor(MemberID?)
  /// The timeline has changed: a start, a stop, another tempo or meter. The change may lie in the future.
  case timeline
  /// A member, possibly this member, has started the rhythm.
  ///
  /// If this member joins a part of the room in which a rhythm already runs, the event is not reported.
  case started
  /// Another member has become the keeper.
  case keeper(MemberID)
  /// Our part of the room will merge with another part at the given time.
  ///
  /// Our beat then moves to the beat of the other part.
  case merging(at: HostTime)
  /// Two parts of the room have merged.
  case merged
  /// Another part of the room plays separately, and the two parts do not join automatically: see `joinOtherPart`.
  case apart(OtherPart)
  /// The other part of the room no longer plays separately: it has joined our part, or it has gone.
  case together
  /// This member's clock was wrong by more than 8 ms; at the given time, the clock jumps to the shared time.
  case correcting(at: HostTime)
  /// The level of this member's section has changed; the value is 0…1, or 0 if the section is muted.
  ///
  /// If the member is in several sections, the value is the lowest of their levels.
  case level(Float)
  /// A member has not received some of our messages.
  ///
  /// After this event, further losses are reported only when the member has received a later message.
  case undelivered(SessionLoss)
  /// This member does not hear some members that other members hear; the value is the number of these members.
  ///
  /// The event is reported when the number grows.
  case outOfReach(Int)
  /// A member called for silence: the room is silent from now on.
  case panic(from: MemberID)
  /// Our call for silence is no longer retransmitted; `unconfirmed` lists the members that have not confirmed it.
  case panicEnded(unconfirmed: [UnconfirmedMember])
  /// The room may sound again: a rhythm was started, or a member that may conduct has lifted the silence.
  case panicLifted
  /// A member handed the baton to another member.
  case handed(from: MemberID, to: MemberID)
  /// A member asks this member, the conductor, for the baton.
  case askedForBaton(by: MemberID)
  /// A message of another version of the protocol arrived, for the first time; the value is that version.
  case otherVersion(Int32)
  /// Members on different machines have the same installation; reported again if their number grows.
  case shared(SharedInstallation)
  /// The room rejected our claim of the baton: only the installation `only` may conduct here.
  case refused(only: MemberID)
}

/// The numbers of datagrams, messages and plays, by result.
public struct SessionCounts: Hashable, Sendable {
  /// The number of received datagrams.
  public var received = 0
  /// The number of received datagrams that are not messages of the protocol, or are malformed.
  public var malformed = 0
  /// The number of received datagrams of another version of the protocol.
  public var otherVersion = 0
  /// The number of dropped messages.
  ///
  /// For example, the sender is unknown or ignored, the message answers no question, or too many messages arrive.
  public var unwanted = 0
  /// The number of received messages with a false signature, or with the signature of another installation.
  ///
  /// In a locked room, a state of the room without a signature also counts.
  public var forged = 0
  /// The number of received messages whose signature was not checked, since too many arrived.
  public var unverified = 0
  /// The number of plays for this member that arrived too late for their beat, or whose beat the music never reaches.
  public var late = 0
  /// The number of plays, and of changes of the room's state or sections, that a gate or `--conductor-only` blocked.
  public var gated = 0
  /// The number of plays that did not sound here, since the sender's section was muted or the room silent.
  public var silenced = 0
  /// The number of strikes, notes, melodies and gestures not sent, since this member was muted or the room silent.
  public var withheld = 0
  /// The number of messages of this member that were not acknowledged in time, or for which the send queue was full.
  public var undelivered = 0
}

/// A notification to the observer of a session, at the time of the event.
package enum SessionNotice: Sendable {
  /// A play for this member, or another member's change of shared data.
  case heard(SessionHeard)
  /// This member sends a play, or changes shared data.
  ///
  /// `isForMe` says whether the play is also for this member. `stamp` is the play's beat, nil for immediately.
  case sent(SessionPlay, SessionAim, isForMe: Bool, stamp: PlayStamp?)
  /// A member reports how much it moves, 0…1.
  case activity(MemberID, Float)
  /// A member has joined or left.
  case roster
}

/// An observer of what happens in a session, such as a recorder.
///
/// - Thread: the session's owner.
package protocol SessionObserver: Sendable {
  /// Receives a notice of an event at `now`; `core` is the session at this time.
  mutating func receive(_ notice: SessionNotice, of core: SessionCore, at now: HostTime)
}
