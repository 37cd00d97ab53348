/// A datagram to send.
public struct Outgoing: Hashable, Sendable {
  /// Where a datagram goes.
  public enum Destination: Hashable, Sendable {
    /// To the session's multicast group, once on each interface: by IPv4 if the interface has it, else by IPv6.
    case multicast
    /// To the same group by IPv6, on those interfaces that have IPv4, too.
    case multicastIPv6
    /// The same, of what is played: for members who are here already.
    case members
    /// To the broadcast address of every network.
    case broadcast
    /// To one program.
    case one(SessionEndpoint)
  }

  /// Where it goes.
  public var destination: Destination
  /// What it says.
  public var datagram: [UInt8]

  /// A datagram and where it goes.
  public init(destination: Destination, datagram: [UInt8]) {
    (self.destination, self.datagram) = (destination, datagram)
  }
}
