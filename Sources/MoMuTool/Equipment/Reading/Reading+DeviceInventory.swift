import MoMu

extension SystemReader {
  /// Reads the devices of this machine.
  func equipment() -> DeviceInventory {
    let ports = ports()
    let holders = holders(of: Set(ports.map(\.path)))
    return DeviceInventory(
      person: person(), cards: cards(), server: root.isEmpty ? SoundServer.current() : nil, inputs: inputs(),
      sensors: chips(),
      ports: ports.map { port in
        var port = port
        port.holder = holders[port.path]
        return port
      }, midi: midi(), hasAvahi: exists("/run/avahi-daemon/socket"), limits: limits(),
      hasRtkit: exists("/usr/share/dbus-1/system-services/org.freedesktop.RealtimeKit1.service"),
      governors: governors(),
      governorDriver: word("/sys/devices/system/cpu/cpu0/cpufreq/scaling_driver"), takers: takers(),
      container: machine([]).container)
  }
}
