import MoRig

/// What there is to be moved, touched or pressed.
func sensorFindings(_ e: DeviceInventory) -> [Finding] {
  let topic = "sensors"
  var there: [String] = []
  for (use, noun) in [
    ("accel", "accelerometer"), ("gyro", "gyroscope"), ("magnet", "magnetometer"), ("touch", "touch"),
  ] {
    if let first = e.sensing.first(where: { $0.uses.contains(use) }) { there.append("\(noun) \(first.name)") }
  }
  var found: [Finding] = []
  if !there.isEmpty { found.append(.ok(topic, there.joined(separator: ", "))) }
  if !there.contains(where: { $0.hasPrefix("accelerometer") }) {
    found.append(
      .note(
        topic, "no accelerometer is here", why: "the keys, or a simulated player, stand in for it",
        fix: "use a phone: --accel net (Docs/Phones.md), a game controller, or a tape: --accel tape:FILE"))
  }
  let slow = e.sensors.filter { $0.advice != nil }.map(\.name)
  if !slow.isEmpty, !e.person.isRoot {
    found.append(
      .note(
        topic, "\(slow.joined(separator: ", ")) must be asked for each value",
        why: "only who may switch its buffer on gets every sample with the kernel's stamp",
        fix: UdevRule.installing))
  }
  return found
}
