import MoRig
import MoSensing

/// Returns the findings about devices, and about the system's limits for the audio thread.
func deviceFindings(_ inventory: DeviceInventory) -> [Finding] {
  let checks = [
    groupFindings, limitFindings, governorFindings, soundFindings, midiFindings, sensorFindings,
    boardFindings,
  ]
  return checks.flatMap { $0(inventory) }
}

/// Checks whether the user is in the groups that may use this machine's devices.
func groupFindings(_ e: DeviceInventory) -> [Finding] {
  let topic = "groups"
  guard !e.person.isRoot else { return [.ok(topic, "root may use every device")] }
  let closed = closedDevices(e)
  guard !closed.isEmpty else {
    return [.ok(topic, "\(e.person.name) may use all devices for music")]
  }
  // Devices with the same fix share a finding.
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
      why: "MoMu ignores it, or waits for it as if it were missing", fix: fix)
  }
}

/// Returns the devices for music that the user may not use, each with its fix.
private func closedDevices(_ e: DeviceInventory) -> [(name: String, fix: String)] {
  var closed: [(name: String, fix: String)] = []
  for card in e.cards {
    for device in card.devices {
      guard let rights = device.rights, !rights.mayUse else { continue }
      closed.append((card.name(of: device), e.person.joining(rights) ?? UdevRule.installing))
    }
  }
  for device in e.inputs {
    // Skip keyboards; check devices that measure movement or touch, or that rumble.
    let isListed = AnySensorKind.all.contains { $0.doctorWord != nil && device.uses.contains($0.name) }
    guard device.rumbles || isListed, let rights = device.rights, !rights.mayRead else { continue }
    closed.append((device.name, e.person.joining(rights) ?? UdevRule.installing))
  }
  for port in e.ports {
    guard let rights = port.rights, !rights.mayUse else { continue }
    closed.append((port.name, e.person.joining(rights) ?? UdevRule.installing))
  }
  return closed
}
