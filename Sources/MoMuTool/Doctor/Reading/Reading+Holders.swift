extension SystemReader {
  /// Returns, for each file or socket, the first process found that has the file or socket open.
  ///
  /// Without root's rights, only the user's own processes are found.
  ///
  /// - Parameter links: the files and sockets, as the links in /proc/PID/fd name them, such as `/dev/ttyACM0` or
  ///   `socket:[12345]`.
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

  /// Returns the name and the ID of a process; the name is "a program" if it cannot be read.
  func holder(_ process: Int) -> ResourceOwner {
    ResourceOwner(name: word("/proc/\(process)/comm") ?? "a program", process: process)
  }
}
