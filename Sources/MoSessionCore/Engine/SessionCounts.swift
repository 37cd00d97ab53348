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
  /// Those that bore another's signature, a false one, or none where one is needed.
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
