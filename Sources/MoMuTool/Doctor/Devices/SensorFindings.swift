import MoRig
import MoSensing

/// Checks which sensors this machine has.
func sensorFindings(_ e: DeviceInventory) -> [Finding] {
  let topic = "sensors"
  var there: [String] = []
  for kind in AnySensorKind.all {
    guard let word = kind.doctorWord, let first = e.sensing.first(where: { $0.uses.contains(kind.name) })
    else { continue }
    there.append("\(word) \(first.name)")
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

/// Checks whether serial ports are free, or which programs use them.
func boardFindings(_ e: DeviceInventory) -> [Finding] {
  let topic = "boards"
  var found: [Finding] = []
  for port in e.ports {
    guard let holder = port.holder else { continue }
    if holder.name == "gpsd" {
      found.append(
        .note(
          topic, "\(port.name) is in use by \(holder)",
          why:
            "that is right for a satellite receiver; but gpsd also takes boards with the same USB chip (CP2102)",
          fix: "if it is a board: sudo gpsdctl remove \(port.path)",
          "and permanently, in /etc/default/gpsd: USBAUTO=\"false\", and a receiver's name, if you have one, in DEVICES"
        ))
      continue
    }
    let isProbing = e.probingPrograms.contains(holder.name)
    found.append(
      .problem(
        topic, "\(port.name) is in use by \(holder)",
        why: "if two programs read a board, each receives only a part of the data",
        fix: isProbing ? UdevRule.installing : "kill \(holder.process)",
        isProbing ? "and now: sudo systemctl restart \(holder.name)" : "or read it with a single program"))
  }
  for program in e.probingPrograms where !found.contains(where: { $0.what.contains(" \(program) ") }) {
    found.append(
      .note(
        topic, "\(program) runs here",
        why: program == "brltty"
          ? "it treats boards with some USB chips as Braille displays, so that their port vanishes"
          : "it tests each plugged-in board for a modem, for half a minute",
        fix: program == "brltty"
          ? "sudo apt remove brltty, if no user here reads Braille" : UdevRule.installing
      )
    )
  }
  let free = e.ports.filter { $0.holder == nil }
  if !free.isEmpty { found.append(.ok(topic, "serial ports: \(free.map(\.name).joined(separator: ", "))")) }
  return found
}
