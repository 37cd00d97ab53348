extension SystemReader {
  /// What this program may have at most: /proc/self/limits, whose names have spaces and whose columns are even.
  func limits() -> Limits {
    func soft(_ name: String) -> Int? {
      guard let line = lines("/proc/self/limits").first(where: { $0.hasPrefix(name) }) else { return nil }
      return line.dropFirst(name.count).split(separator: " ").first.flatMap { Int($0) }
    }
    return Limits(priority: soft("Max realtime priority"), locked: soft("Max locked memory"))
  }

  /// How the speed of each processor is chosen; none where it does not change.
  func governors() -> [String] {
    let folder = "/sys/devices/system/cpu"
    return names(folder).filter { $0.hasPrefix("cpu") && Int($0.dropFirst(3)) != nil }.compactMap {
      word("\(folder)/\($0)/cpufreq/scaling_governor")
    }
  }

  /// Programs that open every serial port that appears, to see whether it is a modem or a line of Braille.
  func takers() -> [String] {
    let known = ["ModemManager", "brltty"]
    let running = Set(names("/proc").filter { Int($0) != nil }.compactMap { word("/proc/\($0)/comm") })
    return known.filter { running.contains($0) }
  }
}
