extension NetSender {
  /// The destination of a datagram: an address, and the interface to send by.
  struct End {
    var address: NetAddress
    /// The interface to send by; 0 for the system's choice.
    var interface: Int
  }

  /// Returns all destinations of a target, such as several for a broadcast.
  ///
  /// The list is empty while the target's name is being looked up; `later` is called afterwards.
  func ends(of target: NetTarget, later: @escaping @Sendable (NetError?) -> Void) throws(NetError) -> [End] {
    let address: NetAddress
    switch target.host {
    case .broadcast: return try Self.broadcastEnds(target)
    case .address(let known): address = known
    case .name(let name):
      guard
        let found = try names.address(of: name, later: { later($0 == nil ? .unknownHost(name) : nil) })
      else { return [] }
      address = found.with(port: target.port)
    }
    if let name = target.interface {
      return [End(address: address, interface: try NetSockets.index(of: name))]
    }
    guard address.isMulticast else { return [End(address: address, interface: 0)] }
    return NetSockets.interfaces(named: nil, NetInterface.all()).filter(\.isUp).map {
      End(address: address, interface: $0.index)
    }
  }

  private static func broadcastEnds(_ target: NetTarget) throws(NetError) -> [End] {
    if let name = target.interface { _ = try NetSockets.index(of: name) }
    let all = NetInterface.all().filter { $0.isUp && (target.interface ?? $0.name) == $0.name }
    let ends = all.flatMap { each in
      each.broadcasts.compactMap { NetAddress(ip: $0, port: target.port) }.map {
        End(address: $0, interface: each.index)
      }
    }
    if !ends.isEmpty { return ends }
    // Without a network there is still this machine.
    guard let loop = all.first(where: \.isLoopback),
      let end = NetAddress(ip: "127.255.255.255", port: target.port)
    else { throw .noNetwork }
    return [End(address: end, interface: loop.index)]
  }
}
