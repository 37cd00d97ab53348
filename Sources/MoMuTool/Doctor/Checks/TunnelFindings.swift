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
