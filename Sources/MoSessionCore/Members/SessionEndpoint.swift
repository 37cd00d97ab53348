/// Where datagrams for a member go: an IP address and a port, opaque to the protocol.
@frozen
public struct SessionEndpoint: Hashable, Sendable, BitwiseCopyable {
  /// The address's first eight bytes, in network order read as a number.
  public var high: UInt64
  /// Its last eight bytes; 0 for IPv4, which has four in all.
  public var low: UInt64
  /// The interface of a link-local address, else 0.
  public var scope: UInt32
  /// The port.
  public var port: UInt16
  /// Whether it is IPv6.
  public var isIPv6: Bool

  /// An endpoint from its parts.
  public init(high: UInt64, low: UInt64 = 0, scope: UInt32 = 0, port: UInt16, isIPv6: Bool = false) {
    (self.high, self.low, self.scope, self.port, self.isIPv6) = (high, low, scope, port, isIPv6)
  }
}
