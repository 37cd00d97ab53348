import CMoSystem
import Glibc

/// The right to send MIDI clock to a port; only one of a user's programs has it at a time.
///
/// Two programs that send clock to the same port would double the tempo. The kernel releases the right when the program
/// ends, even after a crash.
final class ClockLease: Sendable {
  private let socket: Int32

  /// Takes the right to send clock to the port of this name.
  ///
  /// The result is nil if another program of this user, or another object of this program, has the right.
  init?(port: String) {
    socket = Glibc.socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    // Without sockets there is no other program to ask.
    guard socket >= 0 else { return }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    // An abstract name: it begins with a zero byte, and leaves no file behind.
    let name = Array("momu-midi-clock-\(getuid())-\(port.lowercased())".utf8.prefix(100))
    withUnsafeMutableBytes(of: &address.sun_path) { path in
      for (index, byte) in name.enumerated() { path[index + 1] = byte }
    }
    let length = socklen_t(MemoryLayout<sa_family_t>.size + 1 + name.count)
    let result = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(socket, $0, length) }
    }
    guard result != 0, errno == EADDRINUSE else { return }
    close(socket)
    return nil
  }

  deinit { if socket >= 0 { close(socket) } }
}
