import Glibc
import MoSessionCore

extension SessionEndpoint {
  /// Whether this address is worth saving, so that a later start finds members on a network without multicast.
  ///
  /// The address is worth saving if it is private, link-local, or in the network of an address of this machine.
  var isLocal: Bool { isPrivate || isLinkLocal || isOnLink }

  private var isOnLink: Bool {
    var list: UnsafeMutablePointer<ifaddrs>?
    guard getifaddrs(&list) == 0 else { return false }
    defer { freeifaddrs(list) }
    var entry = list
    while let each = entry?.pointee {
      entry = each.ifa_next
      if isReached(by: each) { return true }
    }
    return false
  }

  private func isReached(by interface: ifaddrs) -> Bool {
    guard let address = interface.ifa_addr, let mask = interface.ifa_netmask,
      Int32(address.pointee.sa_family) == (isIPv6 ? AF_INET6 : AF_INET)
    else { return false }
    return isIn(Self.bytes(address, isIPv6: isIPv6), mask: Self.bytes(mask, isIPv6: isIPv6))
  }

  /// Returns whether the endpoint is in the network of an address.
  ///
  /// - Parameters:
  ///   - network: the address, in network byte order: 4 bytes for IPv4, 16 for IPv6.
  ///   - mask: the network mask of the address, in the same form. An empty mask matches no endpoint.
  func isIn(_ network: [UInt8], mask: [UInt8]) -> Bool {
    let own =
      (0..<8).map { UInt8(truncatingIfNeeded: high >> (56 - 8 * $0)) }
      + (0..<8).map { UInt8(truncatingIfNeeded: low >> (56 - 8 * $0)) }
    // An empty mask, as of some tunnels, matches nothing.
    return mask.contains { $0 != 0 } && network.count == (isIPv6 ? 16 : 4)
      && zip(zip(own, network), mask).allSatisfy { ($0.0 ^ $0.1) & $1 == 0 }
  }

  private static func bytes(_ address: UnsafeMutablePointer<sockaddr>, isIPv6: Bool) -> [UInt8] {
    if isIPv6 {
      return address.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) { six in
        withUnsafeBytes(of: six.pointee.sin6_addr) { Array($0) }
      }
    }
    return address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) { four in
      withUnsafeBytes(of: four.pointee.sin_addr) { Array($0) }
    }
  }
}
