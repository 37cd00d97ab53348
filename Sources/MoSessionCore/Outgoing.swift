/// A datagram to send.
public struct Outgoing: Hashable, Sendable {
  /// Where a datagram goes.
  public enum Destination: Hashable, Sendable {
    /// To the session's multicast group, on all interfaces.
    case multicast
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
