/// The sender or receiver of a datagram: an IPv6 address, or an IPv4 address mapped to IPv6, and a port.
public struct MIDIEndpoint: Hashable, Sendable, BitwiseCopyable {
  /// The address's first eight bytes.
  public var high: UInt64
  /// The address's last eight bytes.
  public var low: UInt64
  /// The number of the network interface, for a link-local IPv6 address; 0 for other addresses.
  public var scope: UInt32
  /// The UDP port.
  public var port: UInt16

  /// Creates an endpoint from its parts.
  public init(high: UInt64, low: UInt64, scope: UInt32 = 0, port: UInt16) {
    (self.high, self.low, self.scope, self.port) = (high, low, scope, port)
  }

  /// Creates an endpoint with an IPv4 address.
  public init(ipv4 address: UInt32, port: UInt16) {
    self.init(high: 0, low: 0xFFFF_0000_0000 | UInt64(address), port: port)
  }

  func isSameHost(as other: MIDIEndpoint) -> Bool { with(port: 0) == other.with(port: 0) }

  func with(port: UInt16) -> MIDIEndpoint { MIDIEndpoint(high: high, low: low, scope: scope, port: port) }
}
