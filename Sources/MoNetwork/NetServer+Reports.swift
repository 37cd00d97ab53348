import CMoSystem
import Glibc
import MoCore

// The reports of `NetLoop` about connections and datagrams.

extension NetServer {
  /// Accepts a waiting connection.
  ///
  /// - Returns: false if the system has no file descriptor or memory for another connection, so that an immediate retry
  ///   is useless.
  func accept(_ listener: NetListener) -> Bool {
    var native = momu_address()
    let descriptor = momu_tcp_accept(listener.descriptor, &native)
    guard descriptor >= 0 else {
      let hasNoRoom = [EMFILE, ENFILE, ENOBUFS, ENOMEM].contains(-descriptor)
      if hasNoRoom { warnings.refused("a connection waits", String(cString: strerror(-descriptor))) }
      return !hasNoRoom
    }
    let address = NetAddress(native)
    let now = SystemClock().now
    let (hasRoom, idle, most) = sockets.room(for: address, at: now)
    if let idle, let end = sockets.drop(idle, "it was idle, and another connection needed its place") {
      ended(idle, end)
    }
    guard hasRoom || idle != nil else {
      close(descriptor)
      warnings.refused("\(address) was refused", most)
      return true
    }
    if sockets.add(descriptor, peer: address, target: nil, at: now) != nil {
      events.call(.connected(address))
    }
    return true
  }

  /// Handles the success of an attempt to connect for which `packets` packets waited.
  func connected(_ stream: NetStream, packets: Int) {
    outbound.sent.wrappingAdd(packets, ordering: .relaxed)
    events.call(.connected(stream.peer.address))
  }

  /// Handles the end of a connection, or of an attempt to connect.
  func ended(_ stream: NetStream, _ end: NetStreamEnd) {
    if let target = stream.target, let packets = end.unsent {
      outbound.connectingFailed(target, end.reason, packets: packets)
    } else {
      events.call(.disconnected(stream.peer.address, reason: end.reason))
    }
  }

  /// Handles the network's report that a datagram to `address` was not delivered; `error` is the `errno` of the report.
  func undelivered(_ address: NetAddress, _ error: Int32) {
    events.call(.undelivered(address, reason: warnings.undelivered(address, error)))
  }
}
