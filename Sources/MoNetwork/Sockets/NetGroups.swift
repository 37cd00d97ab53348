import Glibc
import MoCore

/// The multicast groups that a server has joined, and the memberships of its sockets.
///
/// - Thread: one at a time; the lock of `NetSockets` guards it.
struct NetGroups {
  /// The groups in the order in which they were added.
  private var groups: [Group] = []
  private var memberships: Set<Membership> = []
  /// The groups about which `renew` has returned a warning.
  private var warned: Set<NetAddress> = []

  /// A group and the interface on which it was joined; nil for all interfaces that support multicast.
  private struct Group: Equatable {
    var address: NetAddress
    var interface: String?
  }

  /// A multicast group that the sockets have joined on an interface.
  private struct Membership: Hashable {
    var address: NetAddress
    var index: Int
  }

  /// Adds a group; `renew` then joins it.
  mutating func add(_ address: NetAddress, interface: String?) {
    let group = Group(address: address, interface: interface)
    if !groups.contains(group) { groups.append(group) }
  }

  /// Removes a group that was added with the same interface; `renew` then leaves it.
  mutating func remove(_ address: NetAddress, interface: String?) {
    groups.removeAll { $0 == Group(address: address, interface: interface) }
  }

  /// Gives the sockets the memberships that the groups need on the present interfaces, and no other.
  ///
  /// - Returns: warnings about groups that the system refuses because there are too many memberships; each group once.
  mutating func renew(on sockets: [NetSocket]) -> [String] {
    guard !groups.isEmpty || !memberships.isEmpty else { return [] }
    let interfaces = NetInterface.all()
    for unused in memberships where !isNeeded(unused, interfaces) {
      memberships.remove(unused)
      Self.change(unused, join: false, on: sockets)
    }
    var warnings: [String] = []
    // The ends of many containers could otherwise use all memberships of a socket.
    for isLast in [false, true] {
      for group in groups {
        for each in NetSockets.interfaces(named: group.interface, interfaces)
        where (group.interface == nil && each.isVirtual && !each.isLoopback) == isLast {
          let membership = Membership(address: group.address, index: each.index)
          memberships.insert(membership)
          // A group that was joined already is refused, which does no harm.
          let error = Self.change(membership, join: true, on: sockets)
          guard error == ENOBUFS || error == ENOMEM, warned.insert(group.address).inserted else { continue }
          warnings.append(Self.warning(about: group.address, on: each.name, error))
        }
      }
    }
    return warnings
  }

  /// Whether a group needs a membership.
  ///
  /// An interface that went and came back has another number. The membership under the old number would be kept, and a
  /// socket may have only 20.
  private func isNeeded(_ membership: Membership, _ interfaces: [NetInterface]) -> Bool {
    guard let name = interfaces.first(where: { $0.index == membership.index })?.name else { return false }
    return groups.contains { $0.address == membership.address && ($0.interface ?? name) == name }
  }

  /// Joins or leaves a group on an interface; returns 0, or the errno of the last failure.
  @discardableResult
  private static func change(_ membership: Membership, join: Bool, on sockets: [NetSocket]) -> Int32 {
    var error: Int32 = 0
    for socket in sockets where socket.isV6 == membership.address.isIPv6 {
      let result = socket.multicast(join: join, membership.address, interface: membership.index)
      if result != 0 { error = result }
    }
    return error
  }

  private static func warning(about group: NetAddress, on interface: String, _ error: Int32) -> String {
    let limit = group.isIPv6 ? "net.core.optmem_max=262144" : "net.ipv4.igmp_max_memberships=100"
    return "the multicast group \(group.host) was not joined on \(interface): the system allows no more "
      + "memberships (\(String(cString: strerror(error)))). Join each group on one interface, for example "
      + "\(group.host)%wlan0, or raise the limit: sudo sysctl \(limit)"
  }
}

extension NetSockets {
  /// Returns the interfaces to use for a multicast group or a broadcast.
  ///
  /// If an interface is named, the result is this interface. If the name is nil, the result is the loopback and all
  /// interfaces that are up and support multicast.
  static func interfaces(named name: String?, _ all: [NetInterface]) -> [NetInterface] {
    if let name { return all.filter { $0.name == name } }
    let open = all.filter { $0.isUp && $0.isMulticast && !$0.isLoopback }
    return open + all.filter(\.isLoopback)
  }

  /// Returns the kernel's index of the interface with the given name.
  ///
  /// - Throws: `NetError.noInterface` if no interface with this name is up.
  static func index(of name: String) throws(NetError) -> Int {
    let all = NetInterface.all()
    guard let found = all.first(where: { $0.name == name && $0.isUp }) else {
      throw .noInterface(name, known: all.filter(\.isUp).map(\.name))
    }
    return found.index
  }
}
