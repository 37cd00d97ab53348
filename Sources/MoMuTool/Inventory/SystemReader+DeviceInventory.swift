import MoMu

extension SystemReader {
  /// Reads the devices of this machine.
  func inventory() -> DeviceInventory {
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
      governorDriver: word("/sys/devices/system/cpu/cpu0/cpufreq/scaling_driver"),
      probingPrograms: probingPrograms(),
      container: machine([]).container)
  }
}

extension SystemReader {
  /// Reads the user and the groups from /proc/self/status, /etc/passwd and /etc/group.
  func person() -> UserAccount {
    var person = UserAccount()
    var number: Int?
    for line in lines("/proc/self/status") {
      let fields = line.split(whereSeparator: \.isWhitespace)
      switch fields.first {
      // The fields are the real, effective, saved and file-system ID; the effective one counts.
      case "Uid:": number = fields.count > 2 ? Int(fields[2]) : nil
      case "Gid:": if fields.count > 2, let group = Int(fields[2]) { person.active.insert(group) }
      case "Groups:": person.active.formUnion(fields.dropFirst().compactMap { Int($0) })
      default: break
      }
    }
    person.isRoot = number == 0
    for line in lines("/etc/passwd") {
      let fields = line.split(separator: ":", omittingEmptySubsequences: false)
      if fields.count > 2, let number, Int(fields[2]) == number {
        person.name = String(fields[0])
        break
      }
    }
    person.groups = lines("/etc/group").compactMap { line in
      let fields = line.split(separator: ":", omittingEmptySubsequences: false)
      guard fields.count >= 4, let number = Int(fields[2]) else { return nil }
      return UserAccount.Group(
        name: String(fields[0]), number: number, members: fields[3].split(separator: ",").map { String($0) })
    }
    return person
  }
}

extension SystemReader {
  /// Reads this program's resource limits from /proc/self/limits, a table in which the names contain spaces.
  func limits() -> Limits {
    func soft(_ name: String) -> Int? {
      guard let line = lines("/proc/self/limits").first(where: { $0.hasPrefix(name) }) else { return nil }
      return line.dropFirst(name.count).split(separator: " ").first.flatMap { Int($0) }
    }
    return Limits(priority: soft("Max realtime priority"), locked: soft("Max locked memory"))
  }

  /// Reads the frequency governor of each processor; empty if the frequency is fixed.
  func governors() -> [String] {
    let folder = "/sys/devices/system/cpu"
    return names(folder).filter { $0.hasPrefix("cpu") && Int($0.dropFirst(3)) != nil }.compactMap {
      word("\(folder)/\($0)/cpufreq/scaling_governor")
    }
  }

  /// Returns the names of running programs that open each new serial port, to look for a modem or a Braille display.
  func probingPrograms() -> [String] {
    let known = ["ModemManager", "brltty"]
    let running = Set(names("/proc").filter { Int($0) != nil }.compactMap { word("/proc/\($0)/comm") })
    return known.filter { running.contains($0) }
  }
}
