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
