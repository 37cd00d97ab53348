/// Flags and types of interfaces, from linux/if.h and linux/if_arp.h.
private enum Linux {
  static let up = 0x1
  static let loopback = 0x8
  static let multicast = 0x1000
  /// The interface types of tunnels: point-to-point links (512), tunnels over IP (768 to 823), and "none" (65534).
  ///
  /// "none" is the type of tun devices and WireGuard.
  static let tunnelTypes: Set<Int> = [512, 768, 769, 776, 778, 823, 65_534]
}

extension SystemReader {
  /// Reads all interfaces, sorted by name.
  func interfaces() -> [Interface] {
    let addresses = addresses()
    return names("/sys/class/net").compactMap { name in
      // The folder also holds files, such as bonding_masters.
      guard exists("/sys/class/net/\(name)/flags") else { return nil }
      var interface = interface(name)
      for address in addresses where address.interface == name {
        if let ip = IPv4(address.address) {
          let subnet = Subnet(ip, prefix: address.prefix)
          interface.addresses.append(subnet)
          if !address.hasBroadcast { interface.withoutBroadcast.append(subnet) }
        } else {
          interface.addresses6.append(address.address)
        }
      }
      return interface
    }
  }

  private func interface(_ name: String) -> Interface {
    let folder = "/sys/class/net/\(name)"
    let flags = word("\(folder)/flags").flatMap { Int($0.dropFirst(2), radix: 16) } ?? 0
    let kind = kind(folder, flags: flags)
    return Interface(
      name: name, kind: kind, isUp: flags & Linux.up != 0, isMulticast: flags & Linux.multicast != 0,
      hasCarrier: number("\(folder)/carrier").map { $0 == 1 },
      isReal: kind == .wired || kind == .wireless || leadsToDevice(folder))
  }

  private func kind(_ folder: String, flags: Int) -> Interface.Kind {
    if flags & Linux.loopback != 0 { return .loopback }
    let events = lines("\(folder)/uevent")
    if exists("\(folder)/wireless") || exists("\(folder)/phy80211") || events.contains("DEVTYPE=wlan") {
      return .wireless
    }
    let type = number("\(folder)/type") ?? 0
    if exists("\(folder)/tun_flags") || events.contains("DEVTYPE=wireguard")
      || Linux.tunnelTypes.contains(type)
    {
      return .tunnel
    }
    return exists("\(folder)/device") ? .wired : .virtual
  }

  /// Whether a bridge, bond or VLAN uses a hardware device of this machine.
  private func leadsToDevice(_ folder: String) -> Bool {
    names(folder).contains { name in
      name.hasPrefix("lower_") && exists("/sys/class/net/\(name.dropFirst(6))/device")
    }
  }

  /// Returns the way in which a Wi-Fi radio is blocked, from /sys/class/rfkill; nil if no Wi-Fi radio is blocked.
  func radioBlock() -> RadioBlock? {
    for name in names("/sys/class/rfkill") where word("/sys/class/rfkill/\(name)/type") == "wlan" {
      if number("/sys/class/rfkill/\(name)/hard") == 1 { return .hard }
      if number("/sys/class/rfkill/\(name)/soft") == 1 { return .soft }
    }
    return nil
  }

  /// Reads the state of each Wi-Fi interface that is up.
  ///
  /// The signal level is from /proc/net/wireless. The state of power saving is from the program `iw`, if it is
  /// installed.
  func wireless(_ interfaces: [Interface]) -> [WirelessLink] {
    interfaces.filter { $0.kind == .wireless && $0.isUp }.map { interface in
      let name = interface.name
      let said = run(["iw", "dev", name, "get", "power_save"])
      let row = lines("/proc/net/wireless", heading: 2).first { $0.trimmed.hasPrefix("\(name):") }
      // "wlan0: 0000   70.  -40.  -256 …": the status, the link quality, the signal level in dBm.
      let level = row.map { $0.split(separator: " ") }.flatMap { $0.count > 3 ? Double($0[3]) : nil }
      return WirelessLink(
        interface: name,
        savesPower: said.flatMap { $0.contains("on") ? true : $0.contains("off") ? false : nil },
        signal: level.map { Int($0) }.flatMap { $0 < 0 ? $0 : nil })
    }
  }
}
