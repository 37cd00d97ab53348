/// A network interface, as the kernel reports it.
struct Interface: Equatable {
  /// The kind of hardware or software behind an interface.
  enum Kind: Equatable {
    case loopback
    case wired
    case wireless
    /// The end of a VPN or of another tunnel.
    case tunnel
    /// A software interface: a bridge, or the end of a container or virtual machine.
    case virtual
  }

  var name: String
  var kind: Kind
  /// Whether the administrator has enabled the interface (IFF_UP); independent of a cable.
  var isUp: Bool
  /// Whether the interface supports multicast (IFF_MULTICAST).
  var isMulticast: Bool
  /// Whether the interface has a link: a cable to a running device, or an access point; nil if unknown.
  var hasCarrier: Bool?
  /// Whether the interface uses a hardware device of this machine, directly or through a bridge or bond.
  var isReal: Bool
  /// Whether the interface's other end is in another network namespace, as a container's is.
  var leadsOutOfNamespace: Bool
  /// The IPv4 addresses, with their blocks.
  var addresses: [Subnet] = []
  /// The IPv4 addresses without a broadcast address.
  var withoutBroadcast: [Subnet] = []
  /// The IPv6 addresses.
  var addresses6: [String] = []
}
