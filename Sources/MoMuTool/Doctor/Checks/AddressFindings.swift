/// Checks the addresses at which other machines reach this machine.
func addressFindings(_ s: SystemSnapshot) -> [Finding] {
  let topic = "address"
  let connected = s.connected.filter { interface in
    interface.addresses.contains { !$0.address.isSelfAssigned }
  }
  guard let first = connected.first else { return [unconnected(s, topic)] }
  let places = connected.flatMap { interface in interface.addresses.map { (interface, $0) } }
  if places.count == 1 {
    let (interface, address) = places[0]
    return [
      .ok(
        topic,
        "other machines reach this one at \(address.address) (\(interface.name)): enter that address and port "
          + "\(s.port) there")
    ]
  }
  var found: [Finding] = []
  for (interface, address) in places {
    let duplicate = places.first { $0.0.name < interface.name && $0.1.overlaps(address) }
    guard let duplicate else { continue }
    found.append(
      .problem(
        topic, "\(duplicate.0.name) and \(interface.name) are in the same network, \(address)",
        why: "answers may leave through the wrong interface and be lost",
        fix: interface.kind == .wireless || duplicate.0.kind != .wireless
          ? "turn \(interface.name) off: sudo ip link set \(interface.name) down"
          : "turn \(duplicate.0.name) off: sudo ip link set \(duplicate.0.name) down"))
  }
  let list = places.map { "\($0.1.address) (\($0.0.name))" }.joined(separator: ", ")
  let usual = s.route(to: MulticastGroup.everyone)?.interface ?? first.name
  found.append(
    .note(
      topic, "this machine has \(places.count) addresses: \(list)",
      why:
        "other machines reach it only at the address in their own network; multicast and broadcast leave through "
        + "\(usual) only, unless you name another interface",
      fix: "on the other machines, enter the address that begins like theirs",
      "to send a group elsewhere, name the interface: 224.0.1.9%\(first.name):\(s.port)"))
  return found
}

/// Returns the most likely reason why this machine has no usable address.
private func unconnected(_ s: SystemSnapshot, _ topic: String) -> Finding {
  let why = "without an address, messages reach only this machine, at 127.0.0.1 or localhost"
  if let block = s.radioBlock, !s.outward.contains(where: { $0.kind == .wired && $0.hasCarrier == true }) {
    return block == .soft
      ? .problem(topic, "Wi-Fi is switched off", why: why, fix: "rfkill unblock wifi")
      : .problem(
        topic, "Wi-Fi is switched off by a switch or key of this machine", why: why,
        fix: "move the switch or press the key")
  }
  if let own = s.connected.first, let address = own.addresses.first {
    return .problem(
      topic, "\(own.name) has given itself the address \(address.address)",
      why:
        "no router in this network assigns addresses; only machines with self-assigned addresses can be reached",
      fix: "join a network with a router, or give each machine its own address:",
      "sudo ip address add 192.168.77.2/24 dev \(own.name)   # the next one 192.168.77.3, and so on")
  }
  guard let best = s.outward.max(by: { readiness($0) < readiness($1) }) else {
    return .problem(
      topic, "there is no network interface", why: why, fix: "plug in a network adapter; `ip link` shows it")
  }
  if !best.isUp {
    return .problem(topic, "\(best.name) is down", why: why, fix: "sudo ip link set \(best.name) up")
  }
  if best.hasCarrier != true {
    return best.kind == .wireless
      ? .problem(
        topic, "\(best.name) is not connected to a Wi-Fi network", why: why,
        fix: "nmcli device wifi connect NAME --ask")
      : .problem(
        topic, "\(best.name) has no cable, or its cable leads to no running device", why: why,
        fix: "plug it in")
  }
  if let address = best.addresses6.first {
    return .note(
      topic, "\(best.name) has an IPv6 address, \(address), but no IPv4 address",
      why:
        "sessions work with it; programs that use only IPv4, as many OSC apps on phones do, cannot reach this machine",
      fix: "nmcli device connect \(best.name)   # requests an IPv4 address from the router")
  }
  return .problem(
    topic, "\(best.name) has no IPv4 address", why: why,
    fix: "nmcli device connect \(best.name)   # requests an address from the router",
    "sudo ip address add 192.168.77.2/24 dev \(best.name)   # if there is no router")
}

private func readiness(_ interface: Interface) -> Int {
  (interface.isUp ? 2 : 0) + (interface.hasCarrier == true ? 1 : 0)
}

/// Multicast groups that every machine belongs to.
enum MulticastGroup {
  /// 224.0.0.1, the group of all hosts in a network (RFC 1112).
  static let everyone = IPv4(bits: 0xe000_0001)
}

/// Checks whether other machines in the network answer.
func neighbourFindings(_ s: SystemSnapshot) -> [Finding] {
  let topic = "neighbours"
  return s.connected.flatMap { interface -> [Finding] in
    let gateway = s.routes.first { $0.interface == interface.name && $0.gateway != nil }?.gateway
    let known = s.neighbours.filter { $0.interface == interface.name }
    let others = known.filter { $0.address != gateway }
    let answering = s.answering(on: interface)
    if !answering.isEmpty {
      let list = answering.prefix(3).map { "\($0.address)" }.joined(separator: ", ")
      return [.ok(topic, "other machines answer on \(interface.name): \(list)")]
    }
    let test = "start `momu osc listen` on another machine, then type here: momu osc ping ITS-ADDRESS"
    if let gateway, !others.isEmpty, known.contains(where: { $0.address == gateway && $0.answers }) {
      let list = others.prefix(3).map { "\($0.address)" }.joined(separator: ", ")
      return [
        .note(
          topic, "on \(interface.name) the router (\(gateway)) answers, but no other machine does: \(list)",
          why: interface.kind == .wireless
            ? "they may be off; or the access point blocks traffic between its clients (client isolation), as in "
              + "guest networks"
            : "they may be off, or in another network",
          fix: test,
          "if the ping fails: use another Wi-Fi or a phone's hotspot, or switch off client isolation (AP "
            + "isolation, guest mode) in the access point")
      ]
    }
    guard interface.kind == .wireless else { return [] }
    return [
      .note(
        topic, "this machine has not contacted another one on \(interface.name) yet",
        why:
          "some access points block traffic between their clients (client isolation); only a test shows it",
        fix: test)
    ]
  }
}

extension SystemSnapshot {
  /// Returns the neighbours that answer on an interface, without the router.
  func answering(on interface: Interface) -> [Neighbour] {
    let gateway = routes.first { $0.interface == interface.name && $0.gateway != nil }?.gateway
    return neighbours.filter { $0.interface == interface.name && $0.address != gateway && $0.answers }
  }
}
