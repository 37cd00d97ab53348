import MoRig

/// Checks which sensors this machine has.
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
        topic, "no accelerometer found", why: "the keys or a simulated player replace it",
        fix: "use a phone: --accel net (Docs/Phones.md), a game controller, or a tape: --accel tape:FILE"))
  }
  let slow = e.sensors.filter { $0.advice != nil }.map(\.name)
  if !slow.isEmpty, !e.person.isRoot {
    found.append(
      .note(
        topic, "MoMu must poll \(slow.joined(separator: ", ")) for each value",
        why:
          "only with the right to enable its buffer, MoMu receives every sample with the kernel's time stamp",
        fix: UdevRule.installing))
  }
  return found
}
