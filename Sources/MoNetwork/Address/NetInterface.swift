import Glibc

/// A network interface, such as an Ethernet card, Wi-Fi, the machine's loopback or a tunnel.
package struct NetInterface: Sendable, Equatable {
  /// The interface's name, such as `wlan0`.
  package var name: String
  /// The index by which the kernel identifies the interface, such as 2.
  package var index: Int
  /// The interface's IP addresses, IPv4 first.
  package var addresses: [String] = []
  /// The broadcast addresses that belong to the interface's IPv4 addresses, each once; empty if the interface supports
  /// no broadcast.
  package var broadcasts: [String] = []
  /// Whether the interface is switched on and connected.
  package var isUp: Bool
  /// Whether the interface reaches only this machine.
  package var isLoopback: Bool
  /// Whether the interface supports multicast.
  package var isMulticast: Bool
  /// Whether the interface is Wi-Fi.
  package var isWireless: Bool
  /// Whether the interface has no hardware, such as a tunnel, a bridge or the end of a container's network.
  package var isVirtual: Bool

  /// Returns all present interfaces, the loopback last.
  ///
  /// - Thread: any but the audio callback, since it calls the system.
  package static func all() -> [NetInterface] {
    var list: UnsafeMutablePointer<ifaddrs>?
    guard getifaddrs(&list) == 0 else { return [] }
    defer { freeifaddrs(list) }
    return all(in: list)
  }

  /// Returns the interfaces in a list of `getifaddrs`, the loopback last.
  package static func all(in list: UnsafeMutablePointer<ifaddrs>?) -> [NetInterface] {
    var found: [NetInterface] = []
    var entry = list
    while let each = entry?.pointee {
      entry = each.ifa_next
      // An IPv4 address can have a label, such as `eth0:1`; an interface's name has no colon.
      let name = String(String(cString: each.ifa_name).prefix { $0 != ":" })
      let place =
        found.firstIndex { $0.name == name }
        ?? {
          found.append(NetInterface(named: name, flags: Int32(bitPattern: each.ifa_flags)))
          return found.count - 1
        }()
      guard let address = each.ifa_addr, let text = Self.text(of: address) else { continue }
      if Int32(address.pointee.sa_family) == AF_INET {
        found[place].addresses.insert(text, at: found[place].addresses.prefix { !$0.contains(":") }.count)
        if let broadcast = Self.broadcast(of: each) { found[place].add(broadcast: broadcast) }
      } else {
        found[place].addresses.append(text)
      }
    }
    return found.filter { !$0.isLoopback } + found.filter(\.isLoopback)
  }

  /// Returns the IPv4 address at which other machines most likely reach this machine; nil without a network.
  ///
  /// The address of a hardware interface is preferred to the address of a tunnel or a container bridge.
  package static func likeliestAddress(in interfaces: [NetInterface] = all()) -> String? {
    let candidates = interfaces.filter { $0.isUp && !$0.isLoopback }
    let ranked = candidates.filter { !$0.isVirtual } + candidates.filter(\.isVirtual)
    return ranked.lazy.compactMap { $0.addresses.first { !$0.contains(":") } }.first
  }

  /// Adds a broadcast address, unless another address of the interface is on the same network.
  package mutating func add(broadcast: String) {
    if !broadcasts.contains(broadcast) { broadcasts.append(broadcast) }
  }

  private init(named name: String, flags: Int32) {
    self.name = name
    index = Int(if_nametoindex(name))
    let running = Int32(IFF_UP) | Int32(IFF_RUNNING)
    isUp = flags & running == running
    isLoopback = flags & Int32(IFF_LOOPBACK) != 0
    isMulticast = flags & Int32(IFF_MULTICAST) != 0
    isWireless = access("/sys/class/net/\(name)/wireless", F_OK) == 0
    isVirtual = access("/sys/devices/virtual/net/\(name)", F_OK) == 0
  }

  /// Returns the broadcast address that belongs to an interface's IPv4 address; nil if there is none.
  ///
  /// The result is the configured broadcast address. If no broadcast address is configured, the result is the last
  /// address of the subnet, which the kernel then uses too.
  private static func broadcast(of entry: ifaddrs) -> String? {
    guard Int32(bitPattern: entry.ifa_flags) & Int32(IFF_BROADCAST) != 0, let own = bits(of: entry.ifa_addr),
      let mask = bits(of: entry.ifa_netmask)
    else { return nil }
    var bits = bits(of: entry.ifa_ifu.ifu_broadaddr) ?? own
    if bits == own {  // the value from getifaddrs if none was set
      guard ~mask > 1 else { return nil }  // the two ends of a cable (RFC 3021), or a single address
      bits = own | ~mask
    }
    return stride(from: 24, through: 0, by: -8).map { "\(bits >> UInt32($0) & 0xFF)" }.joined(separator: ".")
  }

  /// Returns an IPv4 address as a 32-bit number in the machine's byte order; nil for other addresses.
  private static func bits(of address: UnsafeMutablePointer<sockaddr>?) -> UInt32? {
    guard let address, Int32(address.pointee.sa_family) == AF_INET else { return nil }
    return address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
      UInt32(bigEndian: $0.pointee.sin_addr.s_addr)
    }
  }

  private static func text(of address: UnsafeMutablePointer<sockaddr>) -> String? {
    let size: Int
    switch Int32(address.pointee.sa_family) {
    case AF_INET: size = MemoryLayout<sockaddr_in>.size
    case AF_INET6: size = MemoryLayout<sockaddr_in6>.size
    default: return nil
    }
    var text = [CChar](repeating: 0, count: 128)
    guard getnameinfo(address, socklen_t(size), &text, socklen_t(text.count), nil, 0, NI_NUMERICHOST) == 0
    else { return nil }
    return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }
}
