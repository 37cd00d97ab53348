/// The network state that the doctor checks; plain values, so that the checks can be tested on any machine.
struct SystemSnapshot: Equatable {
  /// The port at which OSC should arrive.
  var port = 6449
  /// The path of the doctor's program, as a user would type it.
  var program = "momu"
  /// Whether the doctor runs as root.
  var isRoot = false
  var interfaces: [Interface] = []
  var routes: [Route] = []
  var neighbours: [Neighbour] = []
  var wireless: [WirelessLink] = []
  /// The way in which all Wi-Fi is blocked; nil if it is not blocked.
  var radioBlock: RadioBlock?
  var firewall = Firewall()
  var sockets: [UDPSocket] = []
  var session = SessionSnapshot()
  var machine = Machine()
  /// The largest receive buffer that a program may request, in bytes (net.core.rmem_max).
  var receiveBufferLimit: Int?
  /// The number of datagrams that programs did not read in time, so that the kernel dropped them, since its start.
  var bufferDrops: Int?

  /// The interfaces that lead to other machines: those with hardware, or in a container the virtual ones.
  var outward: [Interface] {
    let real = interfaces.filter(\.isReal)
    return real.isEmpty ? interfaces.filter { $0.kind == .virtual } : real
  }

  /// The outward interfaces with an IPv4 address.
  var connected: [Interface] { outward.filter { $0.isUp && !$0.addresses.isEmpty } }

  /// The outward interfaces with an IPv4 or IPv6 address, through which members are found.
  var linked: [Interface] {
    outward.filter { $0.isUp && !($0.addresses.isEmpty && $0.addresses6.isEmpty) }
  }

  /// Returns the route for packets to an address: the longest prefix, then the smallest metric.
  func route(to address: IPv4) -> Route? {
    routes.filter { $0.destination.contains(address) }.max {
      ($0.destination.prefix, -$0.metric) < ($1.destination.prefix, -$1.metric)
    }
  }

  func interface(_ name: String) -> Interface? { interfaces.first { $0.name == name } }
}

/// An entry of the routing table.
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

/// A Wi-Fi connection.
struct WirelessLink: Equatable {
  var interface: String
  /// Whether power saving is on; nil if unknown.
  var savesPower: Bool?
  /// The signal level of the access point, in dBm; nil if the driver does not report it.
  var signal: Int?
}

/// The way in which Wi-Fi is blocked.
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

  /// The program that holds the socket, as text.
  var owner: String { holder?.description ?? "another user's program" }
}

/// The state of the port and group that sessions share.
struct SessionSnapshot: Equatable {
  /// The port that all sessions of a machine share.
  var port = 6_450
  /// The multicast group in which members find each other.
  var group = ""
  /// The group for IPv6.
  var groupIPv6 = ""
  /// The sockets bound to the port.
  var sockets: [UDPSocket] = []
  /// Whether a program on this machine has joined the group.
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
