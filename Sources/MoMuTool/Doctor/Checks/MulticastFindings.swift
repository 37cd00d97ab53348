/// Whether messages to a group leave, and where to.
func multicastFindings(_ s: SystemSnapshot) -> [Finding] {
  guard let first = s.connected.first else { return [] }
  let topic = "multicast"
  var found = s.connected.filter { !$0.isMulticast }.map { interface in
    Finding.problem(
      topic, "\(interface.name) does not take part in multicast (no MULTICAST flag)",
      why: "machines are found, and groups reached, by multicast",
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
  // What goes into a tunnel is told of there.
  let isOutward = s.outward.contains { $0.name == route.interface }
  if !isOutward && s.interface(route.interface)?.kind != .tunnel {
    found.append(
      .problem(
        topic, "multicast leaves through \(route.interface), where no other machine is",
        why: "the route for \(route.destination) says so",
        fix: "sudo ip route add 224.0.0.0/4 dev \(first.name)"))
  }
  if found.isEmpty && isOutward {
    found.append(.ok(topic, "groups such as 224.0.1.9 are sent to through \(route.interface)"))
  }
  return found
}

/// Whether everybody nearby is reached by whatever sends.
func broadcastFindings(_ s: SystemSnapshot) -> [Finding] {
  s.connected.flatMap { interface in
    interface.withoutBroadcast.map { address in
      // What `ip address add` leaves out, and DHCP never does.
      .note(
        "broadcast", "\(address.address) on \(interface.name) has no broadcast address",
        why: "messages to broadcast:\(s.port) leave by it all the same; other programs' may not",
        fix: "sudo ip address del \(address) dev \(interface.name) && "
          + "sudo ip address add \(address) broadcast + dev \(interface.name)",
        "a default route by \(interface.name) goes with the address, and has to be set again")
    }
  }
}
