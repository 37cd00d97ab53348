import Glibc

/// A way onto a network: a card, Wi-Fi, the machine's own loop, a tunnel.
public struct NetInterface: Sendable, Equatable {
  /// Its name, such as `wlan0`.
  public var name: String
  /// The system's number for it.
  public var index: Int
  /// Its addresses, IPv4 first.
  public var addresses: [String] = []
  /// Where its broadcasts go, for each IPv4 address that has them.
  public var broadcasts: [String] = []
  /// Whether it is switched on and has a carrier.
  public var isUp: Bool
  /// Whether it leads to this machine alone.
  public var isLoopback: Bool
  /// Whether it carries multicast.
  public var isMulticast: Bool
  /// Whether it is Wi-Fi.
  public var isWireless: Bool
  /// Whether there is no device behind it: a tunnel, a bridge, a container's end.
  public var isVirtual: Bool

  /// All there are now, the loop last.
  ///
  /// - Thread: any but the audio callback; it asks the system.
  public static func all() -> [NetInterface] {
    var list: UnsafeMutablePointer<ifaddrs>?
    guard getifaddrs(&list) == 0 else { return [] }
    defer { freeifaddrs(list) }
    var found: [NetInterface] = []
    var entry = list
    while let each = entry?.pointee {
      entry = each.ifa_next
      let name = String(cString: each.ifa_name)
      let place =
        found.firstIndex { $0.name == name }
        ?? {
          found.append(NetInterface(named: name, flags: Int32(bitPattern: each.ifa_flags)))
          return found.count - 1
        }()
      guard let address = each.ifa_addr, let text = Self.text(of: address) else { continue }
      if Int32(address.pointee.sa_family) == AF_INET {
        found[place].addresses.insert(text, at: found[place].addresses.prefix { !$0.contains(":") }.count)
        if Int32(bitPattern: each.ifa_flags) & Int32(IFF_BROADCAST) != 0,
          let broadcast = each.ifa_ifu.ifu_broadaddr.flatMap({ Self.text(of: $0) }),
          // An address that was given none is said to be its own.
          broadcast != text
        {
          found[place].broadcasts.append(broadcast)
        }
      } else {
        found[place].addresses.append(text)
      }
    }
    return found.filter { !$0.isLoopback } + found.filter(\.isLoopback)
  }

  /// The address that others on the network most likely reach this machine by; nil where it is on none.
  ///
  /// A real card's before a tunnel's or a container bridge's.
  public static func likeliestAddress(in interfaces: [NetInterface] = all()) -> String? {
    let candidates = interfaces.filter { $0.isUp && !$0.isLoopback }
    let ranked = candidates.filter { !$0.isVirtual } + candidates.filter(\.isVirtual)
    return ranked.lazy.compactMap { $0.addresses.first { !$0.contains(":") } }.first
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
