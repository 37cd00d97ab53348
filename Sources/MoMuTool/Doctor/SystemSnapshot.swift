/// The network state that the doctor checks; plain values, so that the checks can be tested on any machine.
struct SystemSnapshot: Equatable {
  /// The port at which OSC should arrive.
  var port = 6449
  /// The path of this program's file, for commands in the findings such as `sudo /usr/local/bin/momu doctor`.
  var program = "momu"
  /// Whether the doctor runs as root.
  var isRoot = false
  var interfaces: [Interface] = []
  var routes: [Route] = []
  var neighbours: [Neighbour] = []
  var wireless: [WirelessLink] = []
  /// The way in which a Wi-Fi radio of this machine is blocked; nil if no Wi-Fi radio is blocked.
  var radioBlock: RadioBlock?
  var firewall = Firewall()
  var sockets: [UDPSocket] = []
  var session = SessionSnapshot()
  var machine = Machine()
  /// The largest receive buffer that a program may request, in bytes (net.core.rmem_max); nil if unknown.
  var receiveBufferLimit: Int?
  /// The number of datagrams that the kernel has dropped since its start, because programs did not read them in time.
  ///
  /// The number is nil if it is unknown.
  var bufferDrops: Int?

  /// The interfaces that lead to other machines: those that use hardware or, if there are none, the virtual interfaces.
  ///
  /// In a container, the interfaces that lead to other machines are virtual.
  var outward: [Interface] {
    let real = interfaces.filter(\.isReal)
    return real.isEmpty ? interfaces.filter { $0.kind == .virtual } : real
  }

  /// The enabled interfaces of `outward` that have an IPv4 address.
  var connected: [Interface] { outward.filter { $0.isUp && !$0.addresses.isEmpty } }

  /// The enabled interfaces of `outward` that have an IPv4 or IPv6 address; members are found through these interfaces.
  var linked: [Interface] {
    outward.filter { $0.isUp && !($0.addresses.isEmpty && $0.addresses6.isEmpty) }
  }

  /// Returns the route for packets to an address; nil if no route leads to the address.
  ///
  /// Of several routes, the route with the longest prefix is used; of routes with equally long prefixes, the route with
  /// the smallest metric.
  func route(to address: IPv4) -> Route? {
    routes.filter { $0.destination.contains(address) }.max {
      ($0.destination.prefix, -$0.metric) < ($1.destination.prefix, -$1.metric)
    }
  }

  func interface(_ name: String) -> Interface? { interfaces.first { $0.name == name } }
}

/// An entry of the IPv4 routing table.
struct Route: Equatable {
  var interface: String
  var destination: Subnet
  /// The router; nil if the destination is in the interface's own network.
  var gateway: IPv4?
  var metric = 0
}

/// Another machine that this machine has tried to contact.
struct Neighbour: Equatable {
  var address: IPv4
  var interface: String
  /// Whether the neighbour answered the request for its hardware address.
  var answers: Bool
}

/// The state of a Wi-Fi interface that is up.
struct WirelessLink: Equatable {
  var interface: String
  /// Whether power saving is on; nil if unknown.
  var savesPower: Bool?
  /// The signal level of the access point, in dBm; nil if the driver does not report it.
  var signal: Int?
}

/// The way in which a Wi-Fi radio is blocked.
enum RadioBlock: Equatable {
  /// The radio is blocked by software; `rfkill` unblocks it.
  case soft
  /// The radio is blocked by a switch or key on the machine.
  case hard
}

/// A UDP socket, and the program that holds the socket.
struct UDPSocket: Equatable {
  var port: Int
  /// The address that the socket is bound to, as text; nil for all addresses.
  var address: String?
  var isLoopback: Bool
  /// The number of datagrams lost because the program did not read in time.
  var drops: Int
  /// The program that holds the socket; nil if only root can see the program.
  var holder: ResourceOwner?

  /// The name and ID of the program that holds the socket, or "another user's program" if only root can see the
  /// program.
  var owner: String { holder?.description ?? "another user's program" }
}

/// The state of the UDP port and the multicast groups by which the members of a room find each other.
struct SessionSnapshot: Equatable {
  /// The UDP port that all sessions of a machine share.
  var port = 6_450
  /// The IPv4 multicast group in which members find each other.
  var group = ""
  /// The IPv6 multicast group in which members find each other.
  var groupIPv6 = ""
  /// The sockets of this machine's programs that are bound to `port`.
  var sockets: [UDPSocket] = []
  /// Whether a program on this machine has joined `group` or `groupIPv6`.
  var isJoined = false
}

/// The kind of machine: real, virtual, a container or WSL.
struct Machine: Equatable {
  /// The networking mode of WSL 2.
  enum Windows: Equatable {
    case nat
    case mirrored
  }

  /// A hypervisor whose default network hides the virtual machine.
  enum Hypervisor: String, Equatable {
    case virtualBox = "VirtualBox"
    case vmware = "VMware"
    case qemu = "QEMU"
    case hyperV = "Hyper-V"
    case parallels = "Parallels"
    case apple = "Apple's virtualisation"
  }

  var windows: Windows?
  var hypervisor: Hypervisor?
  /// The kind of container, such as `docker`, `podman` or `lxc`; nil outside a container.
  var container: String?
}

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

/// A program that uses a port, a sound card or a serial port.
struct ResourceOwner: Equatable, CustomStringConvertible {
  var name: String
  var process: Int

  /// The name and the process ID: `oscdump (process 1234)`.
  var description: String { "\(name) (process \(process))" }
}
