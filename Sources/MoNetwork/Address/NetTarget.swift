import MoRuntime

/// The target of a message: the transport, the host and the port.
///
/// A program writes a target as `192.168.0.5:8888`, `studio.local:8888` or `[::1]:8888`. `broadcast:8888` means all
/// machines on the networks of this machine. `224.0.1.9:8888` means a multicast group on all interfaces, and
/// `224.0.1.9%wlan0:8888` means the same group on the interface `wlan0` only.
///
/// A prefix selects the transport: `tcp:` selects a TCP connection with a length before each packet, and `slip:`
/// selects a TCP connection with SLIP (OSC 1.1). The default is `udp:`.
package struct NetTarget: Hashable, Sendable {
  /// The transport: UDP datagrams, TCP with a length before each packet, or TCP with SLIP.
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
  /// The name of the only interface by which packets leave.
  ///
  /// If nil, a multicast group or a broadcast uses all interfaces; for other targets, the kernel chooses the interface.
  var interface: String?

  /// Creates a target at a known address.
  init(_ address: NetAddress, over transport: Transport = .udp) {
    host = .address(address)
    port = address.port
    self.transport = transport
  }

  /// The only address to which the target's datagrams go; nil for a connection, a broadcast, a multicast group, a host
  /// name, or a target that names an interface.
  var onlyAddress: NetAddress? {
    guard transport == .udp, interface == nil, case .address(let address) = host, !address.isMulticast else {
      return nil
    }
    return address
  }

  /// Parses a target from text such as `tcp:192.168.0.5:8888`.
  ///
  /// - Throws: `NetError.badTarget`.
  package init(_ text: String) throws(NetError) {
    var rest = Substring(text)
    if let colon = rest.firstIndex(of: ":"), let named = Transport(rawValue: String(rest[..<colon])) {
      transport = named
      rest = rest[rest.index(after: colon)...]
    }
    guard let colon = rest.lastIndex(of: ":"),
      let number = wholeNumber(rest[rest.index(after: colon)...])
    else {
      throw .badTarget(text, why: "the port is missing")
    }
    guard (1...65_535).contains(number) else { throw .badTarget(text, why: "a port must be 1 to 65535") }
    port = number
    var name = rest[..<colon]
    if name.hasPrefix("["), name.hasSuffix("]") {
      name = name.dropFirst().dropLast()
    } else if name.contains(":") {
      throw .badTarget(text, why: "an IPv6 address must be in brackets, such as [::1]:8888")
    }
    // For a single IPv6 address, the interface is part of the address.
    if let percent = name.lastIndex(of: "%"),
      !name.contains(":") || NetAddress(ip: String(name[..<percent]), port: number)?.isMulticast == true
    {
      interface = String(name[name.index(after: percent)...])
      name = name[..<percent]
    }
    guard !name.isEmpty, !name.contains(where: \.isWhitespace) else {
      throw .badTarget(text, why: "the host is missing")
    }
    if name == "broadcast" {
      host = .broadcast
    } else if let address = NetAddress(ip: String(name), port: number) {
      host = .address(address)
    } else if name.contains(":") {
      if let percent = name.lastIndex(of: "%") {
        _ = try NetSockets.index(of: String(name[name.index(after: percent)...]))
      }
      throw .badTarget(text, why: "\(name) is not an IPv6 address")
    } else {
      host = .name(String(name))
    }
    if case .address(let address) = host, address.lacksInterface {
      throw .badTarget(
        text, why: "an address that begins with fe80: needs its interface, such as [fe80::1%wlan0]:9"
      )
    }
    if transport != .udp, host == .broadcast || interface != nil {
      throw .badTarget(text, why: "a connection leads to one host, so \(transport) needs one address")
    }
  }
}

extension NetTarget: CustomStringConvertible {
  /// The target as a program writes it, such as `tcp:192.168.0.5:8888`.
  package var description: String {
    let scheme = transport == .udp ? "" : "\(transport.rawValue):"
    let way = interface.map { "%\($0)" } ?? ""
    switch host {
    case .broadcast: return "\(scheme)broadcast\(way):\(port)"
    case .name(let name): return "\(scheme)\(name)\(way):\(port)"
    case .address(let address):
      return "\(scheme)\(address.isIPv6 ? "[\(address.host)\(way)]" : "\(address.host)\(way)"):\(port)"
    }
  }
}

/// A cache of the parsed targets that a program has used, by their text; at 256 targets, it is emptied.
struct NetTargets {
  private var all: [String: NetTarget] = [:]
  /// The last used target with a single known address, since a program's next message usually goes to the same target.
  private var latest: (text: String, address: NetAddress)?

  private static let most = 256

  /// Returns the address of the last used target if its text equals `text`; else nil.
  func again(_ text: String) -> NetAddress? {
    guard let latest, latest.text == text else { return nil }
    return latest.address
  }

  /// Returns the target of a text that was parsed before; nil for a new text.
  mutating func known(_ text: String) -> NetTarget? {
    guard let target = all[text] else { return nil }
    setLatest(target, text)
    return target
  }

  mutating func store(_ target: NetTarget, _ text: String) {
    if all.count >= NetTargets.most { all = [:] }
    all[text] = target
    setLatest(target, text)
  }

  private mutating func setLatest(_ target: NetTarget, _ text: String) {
    if let address = target.onlyAddress { latest = (text, address) }
  }
}
