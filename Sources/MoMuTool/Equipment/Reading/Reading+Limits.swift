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
  func takers() -> [String] {
    let known = ["ModemManager", "brltty"]
    let running = Set(names("/proc").filter { Int($0) != nil }.compactMap { word("/proc/\($0)/comm") })
    return known.filter { running.contains($0) }
  }
}
