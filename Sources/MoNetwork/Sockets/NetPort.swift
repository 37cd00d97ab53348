import CMoSystem
import Glibc

/// A UDP port of this machine, whose owner reads the datagrams directly, without `MoNet`.
///
/// - Thread: any, but one at a time.
package final class NetPort: Sendable {
  private let socket: NetSocket

  /// Opens the port on all interfaces.
  ///
  /// - Parameter port: 0 for any free port.
  /// - Throws: `NetError.portTaken`, `portForbidden`, `system`.
  package init(_ port: Int, isIPv6: Bool) throws(NetError) {
    do throws(NetError) {
      socket = try NetSocket.open(isV6: isIPv6, port: port)
    } catch {
      throw error.withHolder(isTCP: false)
    }
  }

  /// The descriptor that becomes readable when a datagram has come.
  package var descriptor: Int32 { socket.descriptor }

  /// The port number that the socket is bound to.
  package var port: Int { socket.port }

  /// Copies the next received datagram into `room`; returns the datagram's length and sender, or nil if no datagram
  /// waits.
  ///
  /// A datagram that is longer than `room` is cut.
  package func next(into room: inout [UInt8]) -> (count: Int, sender: NetAddress)? {
    while true {
      var peer = momu_address()
      let count = momu_receive(socket.descriptor, &room, room.count, &peer)
      if count >= 0 { return (Int(count), NetAddress(peer)) }
      // An error report about a datagram that could not be delivered; this port sends nothing, so it is skipped.
      guard count == -ECONNREFUSED || count == -EHOSTUNREACH || count == -EINTR else { return nil }
    }
  }
}
