import MoOrchestra

extension SystemReader {
  /// Reads the IPv4 routes of the main table from /proc/net/route.
  func routes() -> [Route] {
    lines("/proc/net/route", heading: 1).compactMap { line in
      let fields = line.split(whereSeparator: \.isWhitespace)
      guard fields.count >= 8, let destination = IPv4(kernelHex: fields[1]),
        let gateway = IPv4(kernelHex: fields[2]), let mask = IPv4(kernelHex: fields[7]),
        let flags = Int(fields[3], radix: 16), flags & 1 != 0  // RTF_UP
      else { return nil }
      return Route(
        interface: String(fields[0]), destination: Subnet(destination, prefix: mask.bits.nonzeroBitCount),
        gateway: gateway.bits == 0 ? nil : gateway, metric: Int(fields[6]) ?? 0)
    }
  }

  /// Reads /proc/net/arp: the machines that this machine has tried to contact.
  func neighbours() -> [Neighbour] {
    lines("/proc/net/arp", heading: 1).compactMap { line in
      let fields = line.split(whereSeparator: \.isWhitespace)
      guard fields.count >= 6, let address = IPv4(fields[0]),
        let flags = Int(fields[2].dropFirst(2), radix: 16)
      else { return nil }
      return Neighbour(address: address, interface: String(fields[5]), answers: flags & 2 != 0)  // ATF_COM
    }
  }

  /// Reads the UDP sockets bound to a port, with the programs that hold them.
  func sockets(port: Int) -> [UDPSocket] {
    let found = ["/proc/net/udp", "/proc/net/udp6"].flatMap { path in
      lines(path, heading: 1).compactMap { socket($0, port: port) }
    }
    guard !found.isEmpty else { return [] }
    let holders = holders(of: Set(found.map(\.link)))
    return found.map { found in
      var socket = found.socket
      socket.holder = holders[found.link]
      return socket
    }
  }

  /// Reads the state of the UDP port and the multicast groups that all sessions share.
  func session() -> SessionSnapshot {
    let port = Int(SessionSockets.port)
    return SessionSnapshot(
      port: port, group: SessionSockets.group, groupIPv6: SessionSockets.groupIPv6,
      sockets: sockets(port: port),
      isJoined: IPv4(SessionSockets.group).map(isJoined) == true || isJoined(byIPv6: SessionSockets.groupIPv6)
    )
  }

  /// Whether a program on this machine has joined an IPv4 multicast group, according to /proc/net/igmp.
  ///
  /// In that file, only the lines about groups begin with white space.
  private func isJoined(_ group: IPv4) -> Bool {
    lines("/proc/net/igmp", heading: 1).contains { line in
      line.first?.isWhitespace == true
        && line.split(whereSeparator: \.isWhitespace).first.flatMap { IPv4(kernelHex: $0) } == group
    }
  }

  /// Whether a program on this machine has joined an IPv6 multicast group, according to /proc/net/igmp6.
  ///
  /// The file has rows such as "2    eth0  ff1200000000000000000000efff4032  1 …".
  private func isJoined(byIPv6 group: String) -> Bool {
    guard let group = digits(ofIPv6: group) else { return false }
    return lines("/proc/net/igmp6").contains { line in
      let fields = line.split(whereSeparator: \.isWhitespace)
      return fields.count >= 3 && fields[2] == group
    }
  }

  /// Returns the 32 hexadecimal digits of an IPv6 address such as `ff12::efff:4032`; nil if the text is no IPv6
  /// address.
  private func digits(ofIPv6 address: String) -> String? {
    let halves = address.split(separator: "::", omittingEmptySubsequences: false)
      .map { $0.split(separator: ":").map { String(repeating: "0", count: max(0, 4 - $0.count)) + $0 } }
    let known = halves.reduce(0) { $0 + $1.count }
    guard (1...2).contains(halves.count), halves.count == 2 ? known < 8 : known == 8 else { return nil }
    return halves.joined(separator: [String](repeating: "0000", count: 8 - known)).joined()
  }

  /// Parses a row of /proc/net/udp or /proc/net/udp6; nil if the socket is bound to another port.
  ///
  /// A row is "  12: 00000000:1931 00000000:0000 07 … 0 0 inode 2 pointer drops". The result `link` names the socket as
  /// the links in /proc/PID/fd do: `socket:[12345]`.
  private func socket(_ line: Substring, port: Int) -> (socket: UDPSocket, link: String)? {
    let fields = line.split(whereSeparator: \.isWhitespace)
    guard fields.count >= 10 else { return nil }
    let local = fields[1].split(separator: ":")
    guard local.count == 2, Int(local[1], radix: 16) == port else { return nil }
    let (address, isLoopback) = words(local[0])
    return (
      UDPSocket(
        port: port, address: address, isLoopback: isLoopback,
        drops: fields.count >= 13 ? Int(fields[12]) ?? 0 : 0, holder: nil),
      "socket:[\(fields[9])]"
    )
  }

  /// Parses the hexadecimal digits of an IPv4 or IPv6 address.
  ///
  /// - Returns: the address as text, and whether it is a loopback address. The text is nil for the wildcard address,
  ///   and "an IPv6 address" for IPv6 addresses other than `::1`.
  private func words(_ hex: Substring) -> (String?, isLoopback: Bool) {
    if let address = IPv4(kernelHex: hex) {
      return (address.bits == 0 ? nil : "\(address)", address.isLoopback)
    }
    let parts = stride(from: 0, to: hex.count, by: 8).compactMap { offset in
      IPv4(kernelHex: hex.dropFirst(offset).prefix(8))?.bits
    }
    if parts.allSatisfy({ $0 == 0 }) { return (nil, false) }
    if parts == [0, 0, 0, 1] { return ("::1", true) }
    return ("an IPv6 address", false)
  }

  /// Reads the number of datagrams that the kernel has dropped since its start because receive buffers were full.
  ///
  /// The number is RcvbufErrors in /proc/net/snmp; nil if the file does not contain it.
  func bufferDrops() -> Int? {
    let rows = lines("/proc/net/snmp").filter { $0.hasPrefix("Udp:") }.map { $0.split(separator: " ") }
    guard rows.count == 2, let column = rows[0].firstIndex(of: "RcvbufErrors"), column < rows[1].count
    else { return nil }
    return Int(rows[1][column])
  }
}
