import CMoSystem
import Glibc
import MoCore
import MoRuntime

/// The open sockets of a server, shared by the thread that reads and the threads that send.
///
/// - Thread: any.
package final class NetSockets: @unchecked Sendable {
  // Unchecked: `lock` guards everything.
  let lock = MoMutex()
  private var datagrams: [NetSocket] = []
  private var listeners: [NetListener] = []
  var streams: [UInt32: NetStream] = [:]
  var outward: [NetTarget: UInt32] = [:]
  var nextStream: UInt32 = 1
  private var dropsBefore = 0
  private var groups = NetGroups()
  /// The warnings about groups that `openDatagrams` has not logged.
  private var warnings: [String] = []

  package init() {}

  /// The largest number of TCP connections; further connections are refused.
  package static let mostStreams = 256
  static let mostOfOne = 16
  /// The seconds without received data after which a connection may be closed to make room for a new connection.
  static let idleTimeout = 60.0

  /// The sockets that `NetLoop` waits for.
  package struct Watched {
    package var datagrams: [NetSocket]
    var listeners: [NetListener]
    package var streams: [(stream: NetStream, wantsToWrite: Bool)]
  }

  package var watched: Watched {
    lock.withLock {
      Watched(
        datagrams: datagrams, listeners: listeners,
        streams: streams.values.map { ($0, $0.wantsToWrite) })
    }
  }

  /// The UDP port from which datagrams are sent and at which they arrive; nil while no UDP socket is open.
  package var port: Int? { lock.withLock { datagrams.first?.port } }

  var drops: Int { lock.withLock { datagrams.reduce(dropsBefore) { $0 + $1.drops } } }

  // MARK: opening and closing

  /// Opens the UDP sockets on a port, and replaces the UDP sockets that were open before.
  ///
  /// A socket for IPv6 is opened too, if the system supports IPv6.
  ///
  /// - Parameter port: 0 for any free port.
  package func openDatagrams(port: Int) throws(NetError) {
    let four = try Self.patiently(isTCP: false) { () throws(NetError) in
      try NetSocket.open(isV6: false, port: port)
    }
    var opened = [four]
    do throws(NetError) {
      opened.append(try NetSocket.open(isV6: true, port: four.port))
    } catch {
      if case .portTaken = error, port != 0 { throw error.withHolder(isTCP: false) }
    }
    lock.withLock {
      dropsBefore += datagrams.reduce(0) { $0 + $1.drops }
      datagrams = opened
      warnings += groups.renew(on: datagrams)
    }
  }

  /// Returns and removes the warnings of `openDatagrams`, so that `mo-net` logs them.
  ///
  /// `openDatagrams` cannot log them: its callers hold the server's lock, and the program's log handler may send, which
  /// needs this lock.
  package func takeWarnings() -> [String] {
    lock.withLock {
      defer { warnings = [] }
      return warnings
    }
  }

  /// Enables or disables the kernel's report of the interface by which each datagram arrived.
  func tellInterface(_ isWanted: Bool) {
    lock.withLock { for socket in datagrams { socket.tellInterface(isWanted) } }
  }

  func openListener(port: Int) throws(NetError) {
    let four = try Self.patiently(isTCP: true) { () throws(NetError) in
      try NetListener(isV6: false, port: port)
    }
    let six = try? NetListener(isV6: true, port: port)
    lock.withLock { listeners += [four] + (six.map { [$0] } ?? []) }
  }

  /// Opens a port; if the port is taken, tries again up to 20 times, every millisecond.
  ///
  /// If this program has just closed a socket on the same port, the port stays taken while a thread of the program
  /// still waits on that socket.
  private static func patiently<Opened>(
    isTCP: Bool, _ open: () throws(NetError) -> Opened
  ) throws(NetError) -> Opened {
    for _ in 0..<20 {
      do throws(NetError) {
        return try open()
      } catch {
        guard case .portTaken = error else { throw error }
        usleep(1000)
      }
    }
    do throws(NetError) { return try open() } catch { throw error.withHolder(isTCP: isTCP) }
  }

  /// Closes all sockets and connections.
  ///
  /// - Returns: the number of packets that waited for their connections to be made.
  @discardableResult
  package func closeAll() -> Int {
    lock.withLock {
      dropsBefore += datagrams.reduce(0) { $0 + $1.drops }
      for socket in datagrams { socket.release() }
      datagrams = []
      for listener in listeners { listener.release() }
      listeners = []
      let unsent = streams.values.reduce(0) { $0 + ($1.isConnecting ? $1.waitingPackets : 0) }
      streams = [:]
      outward = [:]
      return unsent
    }
  }

  // MARK: groups

  /// Joins a multicast group on the named interface; if `interface` is nil, on all interfaces that support multicast.
  func join(_ group: NetAddress, interface: String?) throws(NetError) {
    if let interface { _ = try Self.index(of: interface) }
    lock.withLock { groups.add(group, interface: interface) }
    rejoin()
  }

  /// Leaves a multicast group; a membership that another joined group needs stays.
  func leave(_ group: NetAddress, interface: String?) {
    lock.withLock { groups.remove(group, interface: interface) }
    rejoin()
  }

  /// Renews the memberships of all multicast groups, so that messages to the groups also arrive on new interfaces.
  ///
  /// A caller must not hold the server's lock, since this function may log a warning.
  func rejoin() {
    // A warning is logged without the lock, since the program's log handler may send.
    for warning in lock.withLock({ groups.renew(on: datagrams) }) { MoLog.log(.warning, warning) }
  }

  // MARK: sending

  /// The result of sending datagrams: the number of sent datagrams, and the index and the errno of the first failure.
  struct Sending {
    var sent = 0
    var failure: (index: Int, errno: Int32)?
  }

  /// Sends datagrams in order, and skips datagrams that cannot be sent.
  ///
  /// If the kernel's send buffer stays full, the remaining datagrams are not sent.
  func send(_ items: UnsafeBufferPointer<momu_outgoing>) -> Sending {
    lock.withLock {
      var sending = Sending()
      var place = 0
      while place < items.count {
        let isV6 = items[place].peer.is_v6 != 0
        var run = 1
        while place + run < items.count, (items[place + run].peer.is_v6 != 0) == isV6, run < 64 { run += 1 }
        let socket = datagrams.first { $0.isV6 == isV6 }
        let result = socket.map { sendRun($0, items.baseAddress! + place, run) } ?? -EAFNOSUPPORT
        if result > 0 {
          sending.sent += Int(result)
          place += Int(result)
          continue
        }
        sending.failure = sending.failure ?? (place, -result)
        if result == -EAGAIN || result == -ENOBUFS { break }
        place += 1
      }
      return sending
    }
  }

  /// Sends a datagram; returns 0, or an errno.
  func send(_ item: momu_outgoing) -> Int32 {
    lock.withLock {
      let isV6 = item.peer.is_v6 != 0
      for socket in datagrams where socket.isV6 == isV6 {
        let result = withUnsafePointer(to: item) { sendRun(socket, $0, 1) }
        return result > 0 ? 0 : -result
      }
      return EAFNOSUPPORT
    }
  }

  private func sendRun(_ socket: NetSocket, _ items: UnsafePointer<momu_outgoing>, _ count: Int) -> Int32 {
    var result = momu_send(socket.descriptor, items, Int32(count))
    for _ in 0..<8 {
      guard result < 0 else { break }
      // An error report for an earlier datagram makes the next call fail, so this datagram is sent again.
      if result == -EAGAIN {
        var request = pollfd(fd: socket.descriptor, events: Int16(POLLOUT), revents: 0)
        _ = momu_poll(&request, 1, 5_000_000)
      }
      result = momu_send(socket.descriptor, items, Int32(count))
    }
    return result
  }
}
