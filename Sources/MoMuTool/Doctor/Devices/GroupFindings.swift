import MoRig

/// Whose the devices are: a group that one is not in stands between this program and what is plugged in.
func groupFindings(_ e: DeviceInventory) -> [Finding] {
  let topic = "groups"
  guard !e.person.isRoot else { return [.ok(topic, "root may use every device")] }
  let closed = closedDevices(e)
  guard !closed.isEmpty else {
    return [.ok(topic, "\(e.person.name) may use every device that is here for music")]
  }
  // What one line of advice opens is one finding, however many devices it opens.
  var order: [String] = []
  var names: [String: [String]] = [:]
  for device in closed {
    if names[device.fix] == nil { order.append(device.fix) }
    names[device.fix, default: []].append(device.name)
  }
  return order.map { fix in
    let list = names[fix] ?? []
    return .problem(
      topic, "\(e.person.name) may not use \(list.joined(separator: ", "))",
      why: "it is left out, or waited for, as if it were not there", fix: fix)
  }
}

/// The devices for music that this person may not use, each with what opens it.
private func closedDevices(_ e: DeviceInventory) -> [(name: String, fix: String)] {
  var closed: [(name: String, fix: String)] = []
  for card in e.cards {
    for device in card.devices {
      guard let rights = device.rights, !rights.mayUse else { continue }
      closed.append((card.name(of: device), e.person.joining(rights) ?? UdevRule.installing))
    }
  }
  for device in e.inputs {
    // A keyboard is nobody's business; what measures movement, is touched, or rumbles is.
    guard device.rumbles || !Set(device.uses).isDisjoint(with: ["accel", "gyro", "touch"]),
      let rights = device.rights, !rights.mayRead
    else { continue }
    closed.append((device.name, e.person.joining(rights) ?? UdevRule.installing))
  }
  for port in e.ports {
    guard let rights = port.rights, !rights.mayUse else { continue }
    closed.append((port.name, e.person.joining(rights) ?? UdevRule.installing))
  }
  return closed
}
