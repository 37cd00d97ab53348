/// A member's address for datagrams: an IP address and a port.
@frozen
public struct SessionEndpoint: Hashable, Sendable, BitwiseCopyable {
  /// The first eight bytes of the address, in network byte order, as a number; for IPv4, the last four are 0.
  public var high: UInt64
  /// The last eight bytes of the address; 0 for IPv4, whose addresses have only four bytes.
  public var low: UInt64
  /// The index of the network interface of a link-local address; 0 for other addresses.
  public var scope: UInt32
  /// The port.
  public var port: UInt16
  /// Whether the address is an IPv6 address.
  public var isIPv6: Bool

  /// Creates an endpoint from its parts.
  public init(high: UInt64, low: UInt64 = 0, scope: UInt32 = 0, port: UInt16, isIPv6: Bool = false) {
    (self.high, self.low, self.scope, self.port, self.isIPv6) = (high, low, scope, port, isIPv6)
  }

  /// Whether the endpoint is an IPv6 address that is valid on one link only (fe80::/10).
  package var needsInterface: Bool { isIPv6 && high >> 54 == 0xFE80 >> 6 }

  /// Returns whether the other endpoint is the same host, on any port.
  func isSameHost(as other: SessionEndpoint) -> Bool { isSameNetwork(as: other) && low == other.low }

  /// Returns whether the other endpoint is in the same IPv6 /64 on the same link, or is the same IPv4 address.
  func isSameNetwork(as other: SessionEndpoint) -> Bool {
    isIPv6 == other.isIPv6 && high == other.high && scope == other.scope
  }

  /// Whether the address is this machine's own loopback address.
  ///
  /// Linux drops a datagram that comes from a network with a loopback address as its source: RFC 1122, 3.2.1.3.
  var isLoopback: Bool { isIPv6 ? high == 0 && low == 1 : high >> 56 == 127 }

  /// Whether this is the address of a single other machine: not multicast, broadcast or loopback.
  ///
  /// A link-local address must have its interface (`scope`); without it, the value is false.
  public var isAnotherMachine: Bool {
    guard isIPv6 else { return (1...223).contains(high >> 56) && !isLoopback }
    if needsInterface { return scope != 0 }
    // ::/16 holds ::, ::1 and IPv4 addresses mapped to IPv6.
    return high >> 56 != 0xFF && high >> 48 != 0
  }
}
