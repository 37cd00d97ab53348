import CMoSystem
import Glibc
import MoCore

/// A UDP socket of `MoNet`, of a link (`NetLink`), of a session, or of a separate port (`NetPort`, `NetPortPair`).
package final class NetSocket: Sendable {
  package let descriptor: Int32
  let isV6: Bool

  private init(_ descriptor: Int32, isV6: Bool) {
    self.descriptor = descriptor
    self.isV6 = isV6
  }

  /// Opens a UDP socket; if this fails, `socket` is nil and `error` is the errno, otherwise `error` is 0.
  ///
  /// - Parameters:
  ///   - port: 0 for any free port.
  ///   - isShared: whether other programs may bind the same port; sessions need this for multicast.
  package static func open(isV6: Bool, port: UInt16, isShared: Bool = false) -> (
    socket: NetSocket?, error: Int32
  ) {
    let result = momu_udp_open(isV6, port, isShared)
    return result >= 0 ? (NetSocket(result, isV6: isV6), 0) : (nil, -result)
  }

  /// Opens a socket on a port that no other program may bind at the same time.
  ///
  /// - Parameter port: 0 for any free port.
  /// - Throws: `NetError.portTaken`, `portForbidden`, `system`.
  static func open(isV6: Bool, port: Int) throws(NetError) -> NetSocket {
    let (socket, error) = open(isV6: isV6, port: UInt16(port))
    guard let socket else { throw NetError(opening: port, errno: error) }
    return socket
  }

  deinit { close(descriptor) }

  /// Frees the port immediately, even if a thread still holds this socket; the thread then receives nothing more.
  func release() { momu_socket_release(descriptor) }

  /// The port that the socket is bound to.
  package var port: Int { Int(momu_socket_port(descriptor)) }

  /// The number of received datagrams that the kernel has dropped, mostly because this socket's buffer was full.
  var drops: Int { Int(momu_socket_drops(descriptor)) }

  /// Enables or disables the kernel's report of the interface by which each datagram arrived.
  func tellInterface(_ isWanted: Bool) { momu_udp_tell_interface(descriptor, isV6, isWanted) }

  /// Joins or leaves a multicast group on an interface.
  ///
  /// - Returns: 0, or an errno, such as for a group that is already joined on this interface.
  @discardableResult
  package func multicast(join: Bool, _ group: NetAddress, interface: Int) -> Int32 {
    var native = group.native
    return momu_multicast(descriptor, join, &native, UInt32(interface))
  }
}

/// A TCP socket that accepts connections.
final class NetListener: Sendable {
  let descriptor: Int32

  /// Opens a port, and listens for connections.
  ///
  /// - Throws: `NetError.portTaken`, `portForbidden`, `system`.
  init(isV6: Bool, port: Int) throws(NetError) {
    let result = momu_tcp_listen(isV6, UInt16(port))
    guard result >= 0 else { throw NetError(opening: port, errno: -result) }
    descriptor = result
  }

  deinit { close(descriptor) }

  /// Frees the port immediately.
  func release() { momu_socket_release(descriptor) }
}

/// A buffer for a batch of datagrams, owned by the thread that reads.
final class NetInbox {
  private let native: OpaquePointer
  private let inbound: NetReceiver
  private let clock: any TimeSource
  private let order: MoMutex

  /// Creates the buffer; returns nil if there is no memory.
  ///
  /// - Parameter order: the lock that a thread holds while it reads and sorts datagrams, so that datagrams of two
  ///   threads stay in order.
  init?(into inbound: NetReceiver, clock: any TimeSource, order: MoMutex) {
    guard let native = momu_inbox_new(64, 65_536) else { return nil }
    self.native = native
    self.inbound = inbound
    self.clock = clock
    self.order = order
  }

  deinit { momu_inbox_free(native) }

  /// Reads a batch of waiting datagrams from a socket, passes them to the receiver, and returns their number.
  ///
  /// - Parameters:
  ///   - interface: the index of the only interface whose datagrams are accepted, in addition to the loopback; 0 for
  ///     all interfaces.
  ///   - rest: the host time since which the thread has been idle; nil if unknown. A datagram that arrived after this
  ///     time usually waits alone, and it is quicker to read a single datagram than a batch.
  func read(_ socket: NetSocket, interface: UInt32, restedSince rest: HostTime? = nil) -> Int {
    order.acquire()
    let mayBeAlone = rest != nil && momu_inbox_is_quiet(native)
    let count = Int(
      mayBeAlone
        ? momu_inbox_receive_one(native, socket.descriptor) : momu_inbox_receive(native, socket.descriptor))
    guard count > 0 else {
      order.release()
      return 0
    }
    let now = clock.now
    var arrival = now
    inbound.withDispatcher(at: now) { dispatcher in
      for index in 0..<count {
        guard let item = momu_inbox_item(native, Int32(index)) else { continue }
        arrival = dispatcher.hostTime(ofWall: item.pointee.realtime_ns, now: now)
        if interface != 0, item.pointee.interface != interface, item.pointee.interface != 1 { continue }
        dispatcher.accept(
          UnsafeRawBufferPointer(start: item.pointee.bytes, count: Int(item.pointee.length)),
          from: NetPeer(address: NetAddress(item.pointee.peer)), at: arrival)
      }
    }
    order.release()
    // It came before the rest, so others may wait behind it.
    if mayBeAlone, let rest, arrival < rest { return count + read(socket, interface: interface) }
    return count
  }

  /// Calls `body` for each datagram that the kernel reports as undeliverable, with its destination and the errno.
  func reports(of socket: NetSocket, _ body: (NetAddress, Int32) -> Void) {
    while momu_inbox_report(native, socket.descriptor) > 0 {
      guard let item = momu_inbox_item(native, 0), item.pointee.error != 0 else { continue }
      body(NetAddress(item.pointee.peer), item.pointee.error)
    }
  }
}
