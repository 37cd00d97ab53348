extension SystemReader {
  /// The first process that has each of some files or sockets open; without root, one's own only.
  ///
  /// - Parameter links: as /proc/PID/fd names them: `/dev/ttyACM0`, `socket:[12345]`.
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

  /// A process, by the name that people know.
  func holder(_ process: Int) -> ResourceOwner {
    ResourceOwner(name: word("/proc/\(process)/comm") ?? "a program", process: process)
  }
}
