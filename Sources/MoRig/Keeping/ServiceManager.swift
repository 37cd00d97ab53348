import Glibc

/// The sender of a service's state to systemd, in datagrams to the socket that systemd names.
///
/// If systemd names no socket, nothing is sent.
///
/// - Source: sd_notify(3), which defines the datagrams and guarantees that they stay the same.
package struct ServiceManager: Sendable {
  private let address: String?
  /// The longest time that systemd's watchdog accepts between two `WATCHDOG=1`, in seconds; nil without a watchdog.
  package let patience: Double?

  /// - Parameter environment: the environment variables, in which systemd names its socket and timeout.
  package init(environment: [String: String]) {
    address = environment["NOTIFY_SOCKET"].flatMap { $0.isEmpty ? nil : $0 }
    let isOurs = environment["WATCHDOG_PID"].map { $0 == "\(getpid())" } ?? true
    let microseconds = environment["WATCHDOG_USEC"].flatMap { Double($0) }
    patience = isOurs ? microseconds.map { $0 * 1e-6 } : nil
  }

  /// Whether systemd started this program and receives its messages.
  package var isThere: Bool { address != nil }

  /// Sends a line, such as `READY=1` or `WATCHDOG=1`; returns false if systemd did not accept it.
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
    // An @ replaces the zero byte of an abstract socket's name.
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
