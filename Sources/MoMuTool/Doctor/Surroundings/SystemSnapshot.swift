/// Everything that the doctor read before it judged: plain values, so that the judging can be tested anywhere.
struct SystemSnapshot: Equatable {
  /// The port that OSC is to arrive at.
  var port = 6449
  /// The doctor's own program, as one would type it.
  var program = "momu"
  /// Whether it ran as root, and so saw what only root sees.
  var isRoot = false
  var interfaces: [Interface] = []
  var routes: [Route] = []
  var neighbours: [Neighbour] = []
  var wireless: [WirelessLink] = []
  /// Whether a switch or key forbids all radio, and whether it is one that only a hand can move.
  var radioBlock: RadioBlock?
  var firewall = Firewall()
  var sockets: [UDPSocket] = []
  var session = SessionSnapshot()
  var machine = Machine()
  /// The most bytes a program may ask to be kept for it until it reads (net.core.rmem_max).
  var receiveBufferLimit: Int?
  /// Datagrams that the kernel threw away since it started because a program did not read in time.
  var bufferDrops: Int?

  /// The interfaces that lead to other machines: the real ones, or in a container what there is.
  var outward: [Interface] {
    let real = interfaces.filter(\.isReal)
    return real.isEmpty ? interfaces.filter { $0.kind == .virtual } : real
  }

  /// Those of them with an address.
  var connected: [Interface] { outward.filter { $0.isUp && !$0.addresses.isEmpty } }

  /// Those of them with an address of IPv4 or IPv6, by which members are found.
  var linked: [Interface] {
    outward.filter { $0.isUp && !($0.addresses.isEmpty && $0.addresses6.isEmpty) }
  }

  /// The route that packets to an address take: the longest block, then the smallest metric.
  func route(to address: IPv4) -> Route? {
    routes.filter { $0.destination.contains(address) }.max {
      ($0.destination.prefix, -$0.metric) < ($1.destination.prefix, -$1.metric)
    }
  }

  func interface(_ name: String) -> Interface? { interfaces.first { $0.name == name } }
}

/// A line of the routing table.
struct Route: Equatable {
  var interface: String
  var destination: Subnet
  /// Who passes it on; nil where the destination is on the wire itself.
  var gateway: IPv4?
  var metric = 0
}

/// Another machine that this one has tried to speak to.
struct Neighbour: Equatable {
  var address: IPv4
  var interface: String
  /// Whether it answered when asked for its hardware address.
  var answers: Bool
}

/// A Wi-Fi connection.
struct WirelessLink: Equatable {
  var interface: String
  /// Whether it sleeps between packets; nil where it could not be read.
  var savesPower: Bool?
  /// How strongly the access point is heard, in dBm; nil where the driver does not say.
  var signal: Int?
}

/// What forbids radio.
enum RadioBlock: Equatable {
  /// Software: `rfkill` lifts it.
  case soft
  /// A switch or key on the machine.
  case hard
}

/// A UDP socket, and the program that holds it.
struct UDPSocket: Equatable {
  var port: Int
  /// The address it is bound to, in words; nil for all addresses.
  var address: String?
  var isLoopback: Bool
  /// Datagrams it lost because they were not read in time.
  var drops: Int
  /// Who holds it; nil where only root may see that.
  var holder: ResourceOwner?

  /// Who holds it, in words.
  var owner: String { holder?.description ?? "another user's program" }
}

/// What there is where sessions meet.
struct SessionSnapshot: Equatable {
  /// The port that all sessions of a machine share.
  var port = 6_450
  /// The group in which members are called, and the same by IPv6.
  var group = ""
  var groupIPv6 = ""
  /// Who holds the port.
  var sockets: [UDPSocket] = []
  /// Whether anybody on this machine is in the group.
  var isJoined = false
}

/// What kind of machine this is.
struct Machine: Equatable {
  /// WSL 2's virtual machine, and how it is connected to Windows' network.
  enum Windows: Equatable {
    case nat
    case mirrored
  }

  /// A virtual machine's maker, of those whose usual network hides the machine.
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
  /// `docker`, `podman`, `lxc` or whatever else holds this container; nil outside of one.
  var container: String?
}
