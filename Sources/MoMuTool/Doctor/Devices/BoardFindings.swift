import MoRig

/// Whether a board on a serial line is heard, or somebody else has it.
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
            "as a satellite receiver should be; but gpsd takes boards with a receiver's USB chip (CP2102), too",
          fix: "where it is a board: sudo gpsdctl remove \(port.path)",
          "and for good, in /etc/default/gpsd: USBAUTO=\"false\", and the receiver's name, if there is one, in DEVICES"
        ))
      continue
    }
    let isTaker = e.takers.contains(holder.name)
    found.append(
      .problem(
        topic, "\(port.name) is in use by \(holder)",
        why: "of what the board sends, each of the two gets some",
        fix: isTaker ? UdevRule.installing : "kill \(holder.process)",
        isTaker ? "and now: sudo systemctl restart \(holder.name)" : "or read it with one program only"))
  }
  for taker in e.takers where !found.contains(where: { $0.what.contains(" \(taker) ") }) {
    found.append(
      .note(
        topic, "\(taker) runs here",
        why: taker == "brltty"
          ? "it takes boards with some USB chips for Braille displays, so that their port vanishes"
          : "it asks each board that is plugged in whether it is a modem, for half a minute",
        fix: taker == "brltty" ? "sudo apt remove brltty, if nobody reads Braille here" : UdevRule.installing)
    )
  }
  let free = e.ports.filter { $0.holder == nil }
  if !free.isEmpty { found.append(.ok(topic, "serial ports: \(free.map(\.name).joined(separator: ", "))")) }
  return found
}
