import MoRuntime

/// Whom a message is for, as a program writes it.
///
/// `192.168.0.5:8888`, `studio.local:8888`, `[::1]:8888`; `broadcast:8888` for everybody on the networks this
/// machine is on; `224.0.1.9:8888` for a multicast group, `224.0.1.9%wlan0:8888` by one interface. In front of
/// them `tcp:` for a connection with lengths between messages, `slip:` for one with SLIP (OSC 1.1); `udp:` is
/// what is meant without.
struct NetTarget: Hashable, Sendable {
  /// What carries the bytes.
  enum Transport: String, Sendable {
    case udp, tcp, slip
  }

  enum Host: Hashable, Sendable {
    case address(NetAddress)
    case name(String)
    case broadcast
  }

  var transport = Transport.udp
  var host: Host
  var port: Int
  /// The interface to leave by; nil for what the system chooses, or for all, for a group or a broadcast.
  var interface: String?

  /// A target at an address that is known.
  init(_ address: NetAddress, over transport: Transport = .udp) {
    host = .address(address)
    port = address.port
    self.transport = transport
  }

  /// Where its datagrams go, where that is one place and known; nil where there is something to choose or to look up.
  var onlyAddress: NetAddress? {
    guard transport == .udp, interface == nil, case .address(let address) = host, !address.isMulticast else {
      return nil
    }
    return address
  }

  /// Reads a target.
  ///
  /// - Throws: `NetError.badTarget`.
  init(_ text: String) throws(NetError) {
    var rest = Substring(text)
    if let colon = rest.firstIndex(of: ":"), let named = Transport(rawValue: String(rest[..<colon])) {
      transport = named
      rest = rest[rest.index(after: colon)...]
    }
    guard let colon = rest.lastIndex(of: ":"),
      let number = wholeNumber(rest[rest.index(after: colon)...])
    else {
      throw .badTarget(text, why: "it names no port")
    }
    guard (1...65_535).contains(number) else { throw .badTarget(text, why: "a port is 1 to 65535") }
    port = number
    var name = rest[..<colon]
    if name.hasPrefix("["), name.hasSuffix("]") {
      name = name.dropFirst().dropLast()
    } else if name.contains(":") {
      throw .badTarget(text, why: "an IPv6 address stands in brackets, such as [::1]:8888")
    }
    // The interface of a single IPv6 address is part of the address.
    if let percent = name.lastIndex(of: "%"),
      !name.contains(":") || NetAddress(ip: String(name[..<percent]), port: number)?.isMulticast == true
    {
      interface = String(name[name.index(after: percent)...])
      name = name[..<percent]
    }
    guard !name.isEmpty, !name.contains(where: \.isWhitespace) else {
      throw .badTarget(text, why: "it names no host")
    }
    if name == "broadcast" {
      host = .broadcast
    } else if let address = NetAddress(ip: String(name), port: number) {
      host = .address(address)
    } else if name.contains(":") {
      if let percent = name.lastIndex(of: "%") {
        _ = try NetSockets.index(of: String(name[name.index(after: percent)...]))
      }
      throw .badTarget(text, why: "\(name) is no IPv6 address")
    } else {
      host = .name(String(name))
    }
    if case .address(let address) = host, address.lacksInterface {
      throw .badTarget(
        text, why: "an address that begins with fe80: is good on one interface, so name it: [fe80::1%wlan0]:9"
      )
    }
    if transport != .udp, host == .broadcast || interface != nil {
      throw .badTarget(text, why: "a connection has one host at its end, so \(transport) goes to one address")
    }
  }
}
