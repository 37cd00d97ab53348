/// The packet filter for incoming packets.
struct Firewall: Equatable {
  /// Whether the firewall's rules can be read.
  enum RuleAccess: Equatable {
    /// The rules were read, or there are none.
    case clear
    /// Only root can read the rules, or no program that shows them is installed.
    case hidden
  }

  /// A program that manages the rules; new rules must be added through it.
  enum Manager: Equatable {
    case ufw
    case firewalld
  }

  var ruleAccess = RuleAccess.clear
  var managers: Set<Manager> = []
  /// The chains for IPv4 packets.
  var chains: [FilterChain] = []
  /// The chains for IPv6 packets.
  var chainsIPv6: [FilterChain] = []

  /// Whether ufw manages the rules, so that ufw must open a port.
  var isManagedByUfw: Bool { managers.contains(.ufw) || chains.contains { $0.name.hasPrefix("ufw-") } }
  /// Whether firewalld manages the rules; if it does, a port must be opened with firewalld.
  var isManagedByFirewalld: Bool {
    managers.contains(.firewalld) || chains.contains { $0.table.hasSuffix(" firewalld") }
  }
}

/// A list of rules, applied in order.
struct FilterChain: Equatable {
  enum Policy: Equatable {
    case accept
    case drop
  }

  /// The attachment of a chain to the kernel's hook for incoming packets; only input chains have this value.
  struct Input: Equatable {
    /// The place in the order of input chains: a chain with a lower number is applied first.
    var priority: Int
    /// The verdict on packets that no rule decides.
    var policy: Policy
  }

  /// The tool in whose language the rules are written.
  enum Language: Equatable {
    case nft
    case iptables
    case ip6tables
  }

  var language: Language
  /// The table that contains the chain: its family and name for `nft` (`inet filter`), its name for iptables
  /// (`filter`).
  var table: String
  var name: String
  var input: Input?
  var rules: [FilterRule] = []
}

/// A rule of a packet filter.
struct FilterRule: Equatable {
  enum Action: Equatable {
    case accept
    case drop
    case leave
    case jump(String)
    case goTo(String)
    /// An action that only counts, logs or marks the packet; the next rule of the chain is applied.
    case goOn
  }

  var conditions: [FilterCondition]
  var action: Action
}

/// A condition on packets.
enum FilterCondition: Equatable {
  /// The destination is one of these ports.
  case ports([ClosedRange<Int>])
  /// The packet arrives on one of these interfaces or, if `isNot` is true, on none of them.
  ///
  /// A name that ends in `*` or `+` stands for all names that begin like it.
  case interfaces([String], isNot: Bool)
  /// The packet comes from one of these address blocks or, if `isNot` is true, from none of them.
  case sources([Subnet], isNot: Bool)
  /// A condition that the first datagram from a sender to the checked UDP port meets, such as: the connection is new.
  case always
  /// A condition that the first datagram from a sender to the checked UDP port does not meet, such as: the protocol is
  /// TCP.
  case never
  /// A condition that the doctor does not understand: it may be true or false.
  case unknown
}
