import CMoSystem
import Glibc
import MoCore
import MoRuntime

/// The open sockets of a server, shared by the thread that reads and the threads that send.
///
/// - Thread: any.
package final class NetSockets: @unchecked Sendable {
  // Unchecked: `lock` guards everything.
  private let lock = MoMutex()
  private var datagrams: [NetSocket] = []
  private var listeners: [NetListener] = []
  private var streams: [UInt32: NetStream] = [:]
  private var outward: [NetTarget: UInt32] = [:]
  private var nextStream: UInt32 = 1
  private var dropsBefore = 0
  private var groups = NetGroups()

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
        streams: streams.values.map { ($0, $0.isWaitingToWrite) })
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
    }
    rejoin()
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

  package func closeAll() {
    lock.withLock {
      dropsBefore += datagrams.reduce(0) { $0 + $1.drops }
      for socket in datagrams { socket.release() }
      datagrams = []
      for listener in listeners { listener.release() }
      listeners = []
      streams = [:]
      outward = [:]
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

  // MARK: streams

  /// Returns the open connection that this program made to a target; nil if there is none.
  func stream(to target: NetTarget) -> NetStream? {
    lock.withLock { outward[target].flatMap { streams[$0] } }
  }

  /// Returns the connection with the given number; nil if the connection is closed.
  func stream(_ number: UInt32) -> NetStream? { lock.withLock { streams[number] } }

  /// Sends a packet on a connection.
  ///
  /// - Returns: `reason` is the reason if the connection has ended, else nil. `beginsToWait` is whether data now waits
  ///   to be written, although no data waited before this call.
  func send(_ packet: [UInt8], on stream: NetStream) -> (reason: String?, beginsToWait: Bool) {
    let (reason, beginsToWait) = lock.withLock {
      let waited = stream.isWaitingToWrite
      let reason = stream.send(packet)
      return (reason, !waited && stream.isWaitingToWrite)
    }
    if reason != nil { drop(stream) }
    return (reason, beginsToWait)
  }

  func flush(_ stream: NetStream) -> String? { lock.withLock { stream.flush() } }

  /// Checks whether a new connection from an address is within the limits.
  ///
  /// Without a limit for each machine, a machine that connects again and again would exclude all others. So each
  /// machine may have at most sixteen connections; this limit does not apply to this machine. At a limit, a connection
  /// without received data for a minute may be closed to make room.
  ///
  /// - Returns: `hasRoom` is whether the new connection is within the limits. If it is not, `idle` is a connection that
  ///   may be closed (nil for none), and `most` is the text of the refusal.
  package func room(
    for address: NetAddress, at now: HostTime
  ) -> (hasRoom: Bool, idle: NetStream?, most: String) {
    lock.withLock {
      let own = streams.values.filter { $0.peer.address.with(port: 0) == address.with(port: 0) }
      let isCrowd = own.count >= Self.mostOfOne && !address.isLoopback
      guard isCrowd || streams.count >= Self.mostStreams else { return (true, nil, "") }
      let longest = (isCrowd ? own : Array(streams.values)).min { $0.lastHeard < $1.lastHeard }
      let idle = longest.flatMap { now.seconds(since: $0.lastHeard) >= Self.idleTimeout ? $0 : nil }
      return (
        false, idle,
        isCrowd
          ? "a machine may have at most \(Self.mostOfOne) connections"
          : "all machines together may have at most \(Self.mostStreams) connections"
      )
    }
  }

  /// Adds a new connection; if there are `mostStreams` connections already, closes the new connection and returns nil.
  ///
  /// If another thread has just connected to the same target, the function closes the new connection, and returns the
  /// other connection.
  package func add(_ descriptor: Int32, peer: NetAddress, target: NetTarget?, at now: HostTime) -> NetStream?
  {
    lock.withLock {
      if let target, let open = outward[target].flatMap({ streams[$0] }) {
        close(descriptor)
        return open
      }
      guard streams.count < Self.mostStreams else {
        close(descriptor)
        return nil
      }
      let number = nextStream
      nextStream = nextStream == .max ? 1 : nextStream + 1
      let stream = NetStream(
        descriptor: descriptor, peer: NetPeer(address: peer, stream: number), framing: target?.transport,
        at: now)
      streams[number] = stream
      if let target { outward[target] = number }
      return stream
    }
  }

  /// Removes a connection from the list of open connections; returns false if it was not in the list any more.
  @discardableResult
  func drop(_ stream: NetStream) -> Bool {
    lock.withLock {
      outward = outward.filter { $0.value != stream.peer.stream }
      return streams.removeValue(forKey: stream.peer.stream) != nil
    }
  }
}
