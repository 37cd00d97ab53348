/// A member of the room, with its identity, its connection and its state.
public struct SessionMember: Hashable, Sendable {
  /// The member's identity.
  public var identity: SessionIdentity
  /// The member's name, with a number if several members have the same name.
  public var displayName: String
  /// The member's network address; nil for this member.
  public var endpoint: SessionEndpoint?
  /// The way in which the member was found; nil for this member.
  public var method: DiscoveryMethod?
  /// The accuracy of the member's clock.
  public var report: Report
  /// The member's activity over about the last second, 0…1, as the member reports it.
  public var activity: Float
  /// The instrument that the member plays, such as `harp`; empty if the member reports no instrument.
  public var plays: String
  /// The number of our messages that the member has missed since it joined: see `SessionEvent.undelivered`.
  public var missed = 0
  /// Whether the room follows the member's clock.
  public var isKeeper: Bool
  /// Whether the member conducts.
  public var isConductor: Bool
  /// Whether this program ignores the member.
  public var isIgnored: Bool
  /// Whether the listed member is this program itself.
  public var isMe: Bool
  /// Whether the member records a tape.
  public var isRecording = false
}

/// The loss of contact with all other members, at least one of which did not say goodbye.
///
/// Either this member is cut off from the network, or the other members are.
public struct LostContact: Hashable, Sendable {
  /// Seconds since the last message from any member, at least 1.8.
  public var seconds: Double
  /// The largest error that this member's beat can have now, in ms.
  ///
  /// The value is nil if this member is the keeper, or if the error is not known.
  public var boundMilliseconds: Double?
}
