import Glibc

/// A plain TCP socket, which a test reads and writes as badly as it likes.
final class RawConnection: Sendable {
  private let descriptor: Int32

  /// Connects to a port of this machine; nil if no program listens.
  init?(to port: Int) {
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    guard Self.with(port, { connect(descriptor, $0, $1) }) == 0 else { return nil }
    bound()
  }

  private init(descriptor: Int32) {
    self.descriptor = descriptor
    bound()
  }

  deinit { close(descriptor) }

  /// Sets a timeout on reads, so that a hang becomes a failure.
  private func bound() {
    var longest = timeval(tv_sec: 20, tv_usec: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &longest, socklen_t(MemoryLayout<timeval>.size))
  }

  /// Writes as much as the socket accepts immediately, and returns the number of bytes.
  @discardableResult
  func write(_ bytes: [UInt8]) -> Int { send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL)) }

  /// Ends the connection in both directions.
  ///
  /// `close` alone leaves the connection open while a process that another test starts has a copy of the descriptor.
  func shutDown() { shutdown(descriptor, Int32(SHUT_RDWR)) }

  /// Reads a number of bytes, until the other side closes or a timeout; returns the number of bytes read.
  func read(_ count: Int) -> Int {
    var piece = [UInt8](repeating: 0, count: 65_536)
    var total = 0
    while total < count {
      let got = recv(descriptor, &piece, min(piece.count, count - total), 0)
      guard got > 0 else { break }
      total += got
    }
    return total
  }

  private static func with(
    _ port: Int, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
  ) -> Int32 {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = UInt16(port).bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    return withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
  }

  /// A port of this machine that accepts connections.
  final class Listener: Sendable {
    private let descriptor: Int32
    let port: Int

    /// Listens on an unused port.
    ///
    /// - Parameter backlog: the length of the queue of connections to accept; if the queue is full, the kernel does
    ///   not answer further attempts to connect.
    init(backlog: Int32 = 16) {
      let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
      self.descriptor = descriptor
      _ = RawConnection.with(0) { bind(descriptor, $0, $1) }
      listen(descriptor, backlog)
      var address = sockaddr_in()
      var size = socklen_t(MemoryLayout<sockaddr_in>.size)
      withUnsafeMutablePointer(to: &address) {
        _ = $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &size) }
      }
      port = Int(UInt16(bigEndian: address.sin_port))
    }

    deinit { close(descriptor) }

    /// Accepts the next connection.
    func acceptConnection() -> RawConnection { RawConnection(descriptor: accept(descriptor, nil, nil)) }
  }
}
