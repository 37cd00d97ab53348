/// Checks whether messages to a multicast group leave this machine, and through which interface.
func multicastFindings(_ s: SystemSnapshot) -> [Finding] {
  guard let first = s.connected.first else { return [] }
  let topic = "multicast"
  var found = s.connected.filter { !$0.isMulticast }.map { interface in
    Finding.problem(
      topic, "\(interface.name) does not support multicast (no MULTICAST flag)",
      why: "members find each other, and messages reach groups, by multicast",
      fix: "sudo ip link set \(interface.name) multicast on")
  }
  guard let route = s.route(to: MulticastGroup.everyone) else {
    found.append(
      .problem(
        topic, "no route for multicast: sending to a group fails with \"Network is unreachable\"",
        why: "there is neither a default route nor one for 224.0.0.0/4",
        fix: "sudo ip route add 224.0.0.0/4 dev \(first.name)"))
    return found
  }
  // The findings about tunnels report multicast into a tunnel.
  let isOutward = s.outward.contains { $0.name == route.interface }
  if !isOutward && s.interface(route.interface)?.kind != .tunnel {
    found.append(
      .problem(
        topic, "multicast leaves through \(route.interface), which leads to no other machine",
        why: "the route for \(route.destination) sends it there",
        fix: "sudo ip route add 224.0.0.0/4 dev \(first.name)"))
  }
  if found.isEmpty && isOutward {
    found.append(.ok(topic, "messages to groups such as 224.0.1.9 leave through \(route.interface)"))
  }
  return found
}

/// Checks whether this machine's IPv4 addresses have broadcast addresses.
func broadcastFindings(_ s: SystemSnapshot) -> [Finding] {
  s.connected.flatMap { interface in
    interface.withoutBroadcast.map { address in
      // `ip address add` does not set it; DHCP does.
      .note(
        "broadcast", "\(address.address) on \(interface.name) has no broadcast address",
        why:
          "MoMu's messages to broadcast:\(s.port) leave through it anyway; those of other programs may not",
        fix: "sudo ip address del \(address) dev \(interface.name) && "
          + "sudo ip address add \(address) broadcast + dev \(interface.name)",
        "that also removes a default route through \(interface.name): add the route again")
    }
  }
}

/// Returns a finding for each VPN or other tunnel that is up, since it may take the room's packets.
func tunnelFindings(_ s: SystemSnapshot) -> [Finding] {
  let topic = "tunnel"
  let up = s.interfaces.filter { $0.kind == .tunnel && $0.isUp && !($0.addresses + []).isEmpty }
  return up.map { tunnel in
    let off = [
      "leave the VPN while you play, or take down this tunnel only: sudo ip link set \(tunnel.name) down"
    ]
    let room = s.connected.flatMap(\.addresses).first { network in
      s.routes.contains { route in
        route.interface == tunnel.name && route.destination.prefix > network.prefix
          && network.contains(route.destination.address)
      }
    }
    if let room {
      return Finding(
        level: .problem, topic: topic, what: "\(tunnel.name) takes packets for the network \(room)",
        why: "a route of the tunnel is more specific than the room's, so it wins", fix: off)
    }
    if s.route(to: MulticastGroup.everyone)?.interface == tunnel.name {
      let route = s.connected.first.map { "sudo ip route add 224.0.0.0/4 dev \($0.name)" }
      return Finding(
        level: .problem, topic: topic, what: "multicast goes into \(tunnel.name), not to the room",
        why: "the default route leads into the tunnel, and multicast follows it",
        fix: (route.map { [$0] } ?? []) + off)
    }
    return Finding(
      level: .note, topic: topic, what: "\(tunnel.name) is a tunnel (a VPN, perhaps) and is up",
      why: "some VPNs block packets to the room by rules that the routes do not show",
      fix: ["if messages do not arrive: " + off[0]])
  }
}
