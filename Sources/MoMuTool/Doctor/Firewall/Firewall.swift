/// What filters the packets that come in.
struct Firewall: Equatable {
  /// Whether its rules could be read.
  enum Sight: Equatable {
    /// Read, or nothing there to read.
    case clear
    /// Only root sees them, or no program that shows them is installed.
    case hidden
  }

  /// What keeps the rules, and must be told of new ones.
  enum Manager: Equatable {
    case ufw
    case firewalld
  }

  var sight = Sight.clear
  var managers: Set<Manager> = []
  /// What IPv4 packets meet, and what IPv6 packets do.
  var chains: [FilterChain] = []
  var chainsIPv6: [FilterChain] = []

  /// Who has to be told to open a port: the manager, else the kind of the first chain that refuses.
  var isManagedByUfw: Bool { managers.contains(.ufw) || chains.contains { $0.name.hasPrefix("ufw-") } }
  var isManagedByFirewalld: Bool {
    managers.contains(.firewalld) || chains.contains { $0.table.hasSuffix(" firewalld") }
  }
}

/// A list of rules, tried in order.
struct FilterChain: Equatable {
  enum Policy: Equatable {
    case accept
    case drop
  }

  /// Where the kernel enters: only chains for incoming packets have this.
  struct Input: Equatable {
    /// Lower comes first.
    var priority: Int
    /// What happens to a packet that no rule decided.
    var policy: Policy
  }

  /// Whose rules they are.
  enum Language: Equatable {
    case nft
    case iptables
    case ip6tables
  }

  var language: Language
  /// Family and name as `nft` wants them (`inet filter`), or iptables' table (`filter`).
  var table: String
  var name: String
  var input: Input?
  var rules: [FilterRule] = []
}

/// What a rule does to packets that match.
struct FilterRule: Equatable {
  enum Action: Equatable {
    case accept
    case drop
    case leave
    case jump(String)
    case goTo(String)
    /// Counts, logs, marks: the next rule is tried.
    case goOn
  }

  var conditions: [FilterCondition]
  var action: Action
}

/// What a packet must be like.
enum FilterCondition: Equatable {
  /// Any of these ports is its destination.
  case ports([ClosedRange<Int>])
  /// It came in by one of these interfaces; a name may end in `*`.
  case interfaces([String], isNot: Bool)
  /// It comes from one of these blocks.
  case sources([Subnet], isNot: Bool)
  /// Always so for a first datagram to the OSC port.
  case always
  /// Never so.
  case never
  /// Not understood here: it may be so or not.
  case unknown
}
