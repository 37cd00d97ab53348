/// Where a member may be, by the word of a directory; whether it is there shows when it answers.
public struct ServiceHint: Hashable, Sendable {
  /// Who.
  public var member: MemberID
  /// The room it says it is in.
  public var room: String
  /// Where.
  public var endpoint: SessionEndpoint

  /// A hint from its parts.
  public init(member: MemberID, room: String, endpoint: SessionEndpoint) {
    (self.member, self.room, self.endpoint) = (member, room, endpoint)
  }
}

/// A service as a directory lists it: once for each interface and protocol that it was seen on.
public struct ServiceName: Hashable, Sendable {
  /// The interface's index.
  public var interface: Int32
  /// 0 where it was seen by IPv4, 1 by IPv6.
  public var family: Int32
  /// The instance.
  public var name: String
  /// The domain.
  public var domain: String

  /// A service from its parts.
  public init(interface: Int32, family: Int32, name: String, domain: String) {
    (self.interface, self.family, self.name, self.domain) = (interface, family, name, domain)
  }
}
