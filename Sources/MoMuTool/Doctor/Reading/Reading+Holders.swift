extension SystemReader {
  /// Finds the first process that has each file or socket open; without root, only the user's own processes.
  ///
  /// - Parameter links: the targets of the links in /proc/PID/fd, such as `/dev/ttyACM0` or `socket:[12345]`.
  func holders(of links: Set<String>) -> [String: ResourceOwner] {
    guard !links.isEmpty else { return [:] }
    var holders: [String: ResourceOwner] = [:]
    for process in names("/proc").compactMap({ Int($0) }) {
      for descriptor in names("/proc/\(process)/fd") {
        guard let link = link("/proc/\(process)/fd/\(descriptor)"), links.contains(link), holders[link] == nil
        else { continue }
        holders[link] = holder(process)
      }
    }
    return holders
  }

  /// Returns a process with its name.
  func holder(_ process: Int) -> ResourceOwner {
    ResourceOwner(name: word("/proc/\(process)/comm") ?? "a program", process: process)
  }
}
