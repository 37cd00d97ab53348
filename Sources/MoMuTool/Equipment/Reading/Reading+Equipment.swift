extension SystemReader {
  /// Reads what devices there are.
  func equipment() -> Equipment {
    let ports = ports()
    let holders = holders(ofFiles: Set(ports.map(\.path)))
    return Equipment(
      person: person(), cards: cards(), inputs: inputs(), sensors: chips(),
      ports: ports.map { port in
        var port = port
        port.holder = holders[port.path]
        return port
      }, limits: limits(), governors: governors(),
      governorDriver: word("/sys/devices/system/cpu/cpu0/cpufreq/scaling_driver"), takers: takers(),
      container: machine([]).container)
  }

  /// The first process that has each file open; without root, one's own only.
  private func holders(ofFiles paths: Set<String>) -> [String: UDPSocket.Holder] {
    guard !paths.isEmpty else { return [:] }
    var holders: [String: UDPSocket.Holder] = [:]
    for process in names("/proc").compactMap({ Int($0) }) {
      for descriptor in names("/proc/\(process)/fd") {
        guard let file = link("/proc/\(process)/fd/\(descriptor)"), paths.contains(file), holders[file] == nil
        else { continue }
        holders[file] = holder(process)
      }
    }
    return holders
  }

  /// A process, by the name that people know.
  func holder(_ process: Int) -> UDPSocket.Holder {
    UDPSocket.Holder(name: word("/proc/\(process)/comm") ?? "a program", process: process)
  }
}
