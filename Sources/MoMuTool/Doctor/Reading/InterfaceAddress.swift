import Glibc

/// An IPv4 or IPv6 address of a network interface.
struct InterfaceAddress: Equatable {
  var interface: String
  /// The address: `192.168.1.20`, `fe80::1`.
  var address: String
  /// The length of the network prefix, in bits.
  var prefix: Int
  /// Whether the address has a broadcast address, or needs none because its interface does not support broadcasts.
  var hasBroadcast = true

  /// Returns all addresses of this machine; empty if the kernel does not report them.
  @Sendable
  static func all() -> [InterfaceAddress] {
    var first: UnsafeMutablePointer<ifaddrs>?
    guard getifaddrs(&first) == 0 else { return [] }
    defer { freeifaddrs(first) }
    var found: [InterfaceAddress] = []
    var next = first
    while let entry = next?.pointee {
      next = entry.ifa_next
      guard let address = entry.ifa_addr, let text = numeric(address) else { continue }
      let mask = entry.ifa_netmask.map(leadingBits) ?? 32
      // Without a broadcast address, the C library returns the address itself.
      let broadcast = entry.ifa_ifu.ifu_broadaddr.flatMap(numeric)
      let hasBroadcast = entry.ifa_flags & UInt32(IFF_BROADCAST) == 0 || broadcast.map { $0 != text } ?? false
      found.append(
        InterfaceAddress(
          interface: String(cString: entry.ifa_name), address: text, prefix: mask, hasBroadcast: hasBroadcast)
      )
    }
    return found
  }

  private static func numeric(_ address: UnsafeMutablePointer<sockaddr>) -> String? {
    var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
    let raw = UnsafeMutableRawPointer(address)
    let done: UnsafePointer<CChar>?
    switch Int32(address.pointee.sa_family) {
    case AF_INET:
      var bytes = raw.assumingMemoryBound(to: sockaddr_in.self).pointee.sin_addr
      done = inet_ntop(AF_INET, &bytes, &text, socklen_t(text.count))
    case AF_INET6:
      var bytes = raw.assumingMemoryBound(to: sockaddr_in6.self).pointee.sin6_addr
      done = inet_ntop(AF_INET6, &bytes, &text, socklen_t(text.count))
    default: return nil
    }
    return done.map { String(cString: $0) }
  }

  private static func leadingBits(_ mask: UnsafeMutablePointer<sockaddr>) -> Int {
    let raw = UnsafeMutableRawPointer(mask)
    switch Int32(mask.pointee.sa_family) {
    case AF_INET: return raw.assumingMemoryBound(to: sockaddr_in.self).pointee.sin_addr.s_addr.nonzeroBitCount
    case AF_INET6:
      let bytes = raw.assumingMemoryBound(to: sockaddr_in6.self).pointee.sin6_addr
      return withUnsafeBytes(of: bytes) { $0.reduce(0) { $0 + $1.nonzeroBitCount } }
    default: return 32
    }
  }
}
