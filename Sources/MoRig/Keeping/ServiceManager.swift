import Glibc

/// Tells systemd how a service is doing: a datagram to the socket that it names; nothing without one.
///
/// - Source: sd_notify(3), which says what the datagrams hold and promises that they stay so.
package struct ServiceManager: Sendable {
  private let address: String?
  /// Within how many seconds systemd wants to hear of us; nil where it does not.
  package let patience: Double?

  /// - Parameter environment: where systemd says what it wants.
  package init(environment: [String: String]) {
    address = environment["NOTIFY_SOCKET"].flatMap { $0.isEmpty ? nil : $0 }
    let isOurs = environment["WATCHDOG_PID"].map { $0 == "\(getpid())" } ?? true
    let microseconds = environment["WATCHDOG_USEC"].flatMap { Double($0) }
    patience = isOurs ? microseconds.map { $0 * 1e-6 } : nil
  }

  /// Whether systemd has started this program and listens.
  package var isThere: Bool { address != nil }

  /// Says a line, such as `READY=1` or `WATCHDOG=1`; false if systemd did not take it.
  @discardableResult
  package func tell(_ line: String) -> Bool {
    guard let address else { return false }
    let file = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    guard file >= 0 else { return false }
    defer { close(file) }
    var name = sockaddr_un()
    name.sun_family = sa_family_t(AF_UNIX)
    var path = Array(address.utf8)
    let room = MemoryLayout.size(ofValue: name.sun_path)
    guard path.count < room else { return false }
    // An @ stands for the zero byte of a name that is in no folder.
    if path.first == 0x40 { path[0] = 0 }
    withUnsafeMutableBytes(of: &name.sun_path) { $0.copyBytes(from: path) }
    let length = MemoryLayout<sa_family_t>.size + path.count
    let bytes = Array(line.utf8)
    let count = withUnsafePointer(to: &name) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        sendto(file, bytes, bytes.count, Int32(MSG_NOSIGNAL), $0, socklen_t(length))
      }
    }
    return count == bytes.count
  }
}
