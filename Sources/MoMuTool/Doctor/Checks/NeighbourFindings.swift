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
