/// Returns the findings about causes of delay in Wi-Fi: power saving and a weak signal.
func wirelessFindings(_ s: SystemSnapshot) -> [Finding] {
  s.wireless.filter { link in s.connected.contains { $0.name == link.interface } }.flatMap { link in
    [power(link)] + (link.signal.flatMap { weak(link.interface, $0) }.map { [$0] } ?? [])
  }
}

/// Checks whether power saving of a Wi-Fi interface is off.
///
/// When power saving was turned off on a Raspberry Pi, the median round trip fell from 126 ms to 6 ms. The 99th
/// percentile fell from 977 ms to 19 ms (github.com/raspberrypi/linux issue 7533).
private func power(_ link: WirelessLink) -> Finding {
  let name = link.interface
  let off = "sudo iw dev \(name) set power_save off"
  let lasting =
    "permanently, with NetworkManager: printf '[connection]\\nwifi.powersave = 2\\n' | "
    + "sudo tee /etc/NetworkManager/conf.d/60-wifi-powersave.conf"
  switch link.savesPower {
  case false?: return .ok("wifi", "power saving of \(name) is off")
  case true?:
    return .problem(
      "wifi", "power saving of \(name) is on",
      why:
        "its radio sleeps between packets, so they wait in the access point for a tenth of a second or more",
      fix: off, lasting)
  case nil:
    return .note(
      "wifi", "cannot read whether power saving of \(name) is on",
      why: "if it is on, packets wait in the access point for a tenth of a second or more",
      fix: "sudo apt install iw", "iw dev \(name) get power_save", "if it prints on: \(off)")
  }
}

private func weak(_ name: String, _ signal: Int) -> Finding? {
  guard signal < -70 else { return nil }
  return .note(
    "wifi", "\(name) receives its access point weakly (\(signal) dBm)",
    why: "below -70 dBm, packets are retransmitted or lost", fix: "move nearer, or use a cable")
}
