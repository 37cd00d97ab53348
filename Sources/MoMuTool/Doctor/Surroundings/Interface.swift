/// A network interface, as the kernel shows it.
struct Interface: Equatable {
  /// What the packets go through.
  enum Kind: Equatable {
    case loopback
    case wired
    case wireless
    /// A VPN's end, or another way into something else's packets.
    case tunnel
    /// Made of software: bridges, the ends of containers and of virtual machines.
    case virtual
  }

  var name: String
  var kind: Kind
  /// Set by the administrator (IFF_UP); says nothing of a cable.
  var isUp: Bool
  /// Whether it takes part in multicast at all (IFF_MULTICAST).
  var isMulticast: Bool
  /// Whether there is a cable with somebody at its end, or an access point; nil where it is not said.
  var hasCarrier: Bool?
  /// Whether a device of this machine is behind it, at once or through a bridge or bond.
  var isReal: Bool
  /// Whether its other end is in another network namespace, as a container's is.
  var leadsOutOfNamespace: Bool
  /// Its IPv4 addresses, with the blocks they are in.
  var addresses: [Subnet] = []
  /// Those of them that have no broadcast address set.
  var withoutBroadcast: [Subnet] = []
  /// Its IPv6 addresses.
  var addresses6: [String] = []
}
