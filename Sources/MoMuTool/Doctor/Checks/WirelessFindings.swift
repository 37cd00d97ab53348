/// What makes Wi-Fi late.
func wirelessFindings(_ s: SystemSnapshot) -> [Finding] {
  s.wireless.filter { link in s.connected.contains { $0.name == link.interface } }.flatMap { link in
    [power(link)] + (link.signal.flatMap { weak(link.interface, $0) }.map { [$0] } ?? [])
  }
}

/// Round trips fell from 126 ms to 6 ms (median), and from 977 ms to 19 ms (99 %), when it was turned off on a
/// Raspberry Pi (github.com/raspberrypi/linux issue 7533).
private func power(_ link: WirelessLink) -> Finding {
  let name = link.interface
  let off = "sudo iw dev \(name) set power_save off"
  let lasting =
    "for good, with NetworkManager: printf '[connection]\\nwifi.powersave = 2\\n' | "
    + "sudo tee /etc/NetworkManager/conf.d/60-wifi-powersave.conf"
  switch link.savesPower {
  case false?: return .ok("wifi", "\(name) does not sleep between packets")
  case true?:
    return .problem(
      "wifi", "\(name) saves power",
      why: "it sleeps between packets, which wait in the access point for a tenth of a second and more",
      fix: off, lasting)
  case nil:
    return .note(
      "wifi", "whether \(name) saves power could not be seen",
      why: "where it does, packets wait in the access point for a tenth of a second and more",
      fix: "sudo apt install iw", "iw dev \(name) get power_save", "if it says on: \(off)")
  }
}

private func weak(_ name: String, _ signal: Int) -> Finding? {
  guard signal < -70 else { return nil }
  return .note(
    "wifi", "\(name) hears its access point faintly (\(signal) dBm)",
    why: "below -70 dBm packets are sent again and again, or lost", fix: "move nearer, or use a cable")
}
