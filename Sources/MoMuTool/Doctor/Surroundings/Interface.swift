/// A network interface, as the kernel reports it.
struct Interface: Equatable {
  /// The kind of hardware or software behind an interface.
  enum Kind: Equatable {
    case loopback
    case wired
    case wireless
    /// An end of a VPN or of another tunnel.
    case tunnel
    /// A software interface: a bridge, or an end of a connection to a container or virtual machine.
    case virtual
  }

  var name: String
  var kind: Kind
  /// Whether the administrator has enabled the interface (IFF_UP), with or without a cable in it.
  var isUp: Bool
  /// Whether the interface supports multicast (IFF_MULTICAST).
  var isMulticast: Bool
  /// Whether the interface is connected, by a cable to a running device or to an access point; nil if unknown.
  var hasCarrier: Bool?
  /// Whether the interface uses a hardware device of this machine, directly or through a bridge, bond or VLAN.
  var isReal: Bool
  /// The IPv4 addresses, with their blocks.
  var addresses: [Subnet] = []
  /// The IPv4 addresses that have no broadcast address, although the interface supports broadcasts.
  var withoutBroadcast: [Subnet] = []
  /// The IPv6 addresses as text, such as `fe80::1`.
  var addresses6: [String] = []
}
