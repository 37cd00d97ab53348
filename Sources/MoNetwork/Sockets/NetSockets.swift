import CMoSystem
import Glibc
import MoCore

/// The open sockets of a server, shared by the thread that reads and the threads that send.
///
/// - Thread: any.
final class NetSockets: @unchecked Sendable {
  // Unchecked: `lock` guards everything.
  private let lock = MoMutex()
  private var datagrams: [NetSocket] = []
  private var listeners: [NetListener] = []
  private var streams: [UInt32: NetStream] = [:]
  private var outward: [NetTarget: UInt32] = [:]
  private var nextStream: UInt32 = 1
  private var dropsBefore = 0
  private var groups: Set<Group> = []
  private var memberships: Set<Membership> = []

  /// The largest number of connections; more are refused.
  static let mostStreams = 256
  static let mostOfOne = 16
  /// The seconds without data after which a connection gives its place to another.
  static let idleness = 60.0

  private struct Group: Hashable {
    var address: NetAddress
    var interface: String?
  }

  /// The membership of a group on an interface.
  private struct Membership: Hashable {
    var address: NetAddress
    var index: Int
  }

  /// The sockets that the loop waits for.
  struct Watched {
    var datagrams: [NetSocket]
    var listeners: [NetListener]
    var streams: [(stream: NetStream, wantsToWrite: Bool)]
  }

  var watched: Watched {
    lock.withLock {
      Watched(
        datagrams: datagrams, listeners: listeners,
        streams: streams.values.map { ($0, $0.isWaitingToWrite) })
    }
  }

  /// The port that datagrams leave from and arrive at.
  var port: Int? { lock.withLock { datagrams.first?.port } }

  var drops: Int { lock.withLock { datagrams.reduce(dropsBefore) { $0 + $1.drops } } }

  // MARK: opening and closing

  /// Opens UDP on a port, in place of the open sockets; 0 for any port.
  ///
  /// IPv6 is opened too, if the system has it.
  func openDatagrams(port: Int) throws(NetError) {
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
      joinAll()
    }
  }

  /// Sets whether each datagram reports the interface by which it came.
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

  /// Opens a port, with retries: this program may have freed it a moment ago while a thread still waited on it.
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

  func closeAll() {
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

  /// Joins a multicast group, on all interfaces that support multicast if none is named.
  func join(_ group: NetAddress, interface: String?) throws(NetError) {
    if let interface { _ = try Self.index(of: interface) }
    lock.withLock {
      groups.insert(Group(address: group, interface: interface))
      joinAll()
    }
  }

  func leave(_ group: NetAddress, interface: String?) {
    lock.withLock {
      guard groups.remove(Group(address: group, interface: interface)) != nil else { return }
      for each in Self.interfaces(named: interface, NetInterface.all()) {
        memberships.remove(Membership(address: group, index: each.index))
        for socket in datagrams where socket.isV6 == group.isIPv6 {
          socket.multicast(join: false, group, interface: each.index)
        }
      }
    }
  }

  /// Joins the groups again, after an interface has appeared.
  func rejoin() { lock.withLock { joinAll() } }

  private func joinAll() {
    guard !groups.isEmpty else { return }
    let interfaces = NetInterface.all()
    // An interface that went and came back has another number. The membership under the old number would be kept, and a
    // socket may have only 20.
    for gone in memberships where !interfaces.contains(where: { $0.index == gone.index }) {
      memberships.remove(gone)
      for socket in datagrams where socket.isV6 == gone.address.isIPv6 {
        socket.multicast(join: false, gone.address, interface: gone.index)
      }
    }
    for group in groups {
      for each in Self.interfaces(named: group.interface, interfaces) {
        memberships.insert(Membership(address: group.address, index: each.index))
        for socket in datagrams where socket.isV6 == group.address.isIPv6 {
          // A group that was joined already is refused, which does no harm.
          socket.multicast(join: true, group.address, interface: each.index)
        }
      }
    }
  }

  /// Returns the interfaces for a group or a broadcast: only the named one, or all connected ones that support
  /// multicast and the loopback.
  static func interfaces(named name: String?, _ all: [NetInterface]) -> [NetInterface] {
    if let name { return all.filter { $0.name == name } }
    let open = all.filter { $0.isUp && $0.isMulticast && !$0.isLoopback }
    return open + all.filter(\.isLoopback)
  }

  /// Returns the number of an interface.
  static func index(of name: String) throws(NetError) -> Int {
    let all = NetInterface.all()
    guard let found = all.first(where: { $0.name == name && $0.isUp }) else {
      throw .noInterface(name, known: all.filter(\.isUp).map(\.name))
    }
    return found.index
  }

  // MARK: sending

  /// The result of sending datagrams: the number sent, and the first that failed, with its errno.
  struct Sending {
    var sent = 0
    var failure: (index: Int, errno: Int32)?
  }

  /// Sends datagrams in order and skips those that fail; gives up the rest if the kernel's send buffer stays full.
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

  /// Returns the open connection to a target, if any.
  func stream(to target: NetTarget) -> NetStream? {
    lock.withLock { outward[target].flatMap { streams[$0] } }
  }

  /// Returns the connection with a number, if it is still open.
  func stream(_ number: UInt32) -> NetStream? { lock.withLock { streams[number] } }

  /// Sends on a connection.
  ///
  /// - Returns: the reason if the connection has ended, else nil; and whether data waits to be written that did not
  ///   wait before.
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

  /// Checks whether there is room for a connection from an address.
  ///
  /// - Returns: whether there is room; if not, an idle connection that may be closed, and the text of the refusal.
  ///
  /// A machine that connects again and again would exclude all others. So each machine has at most sixteen connections,
  /// except for this machine. A connection without data for a minute is closed if another needs its place.
  func room(
    for address: NetAddress, at now: HostTime
  ) -> (hasRoom: Bool, idle: NetStream?, most: String) {
    lock.withLock {
      let own = streams.values.filter { $0.peer.address.with(port: 0) == address.with(port: 0) }
      let isCrowd = own.count >= Self.mostOfOne && !address.isLoopback
      guard isCrowd || streams.count >= Self.mostStreams else { return (true, nil, "") }
      let longest = (isCrowd ? own : Array(streams.values)).min { $0.lastHeard < $1.lastHeard }
      let idle = longest.flatMap { now.seconds(since: $0.lastHeard) >= Self.idleness ? $0 : nil }
      return (
        false, idle,
        isCrowd
          ? "a machine may have at most \(Self.mostOfOne) connections"
          : "all machines together may have at most \(Self.mostStreams) connections"
      )
    }
  }

  /// Keeps a connection; closes it and returns nil if there are too many.
  func add(_ descriptor: Int32, peer: NetAddress, target: NetTarget?, at now: HostTime) -> NetStream? {
    lock.withLock {
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

  /// Removes a connection, and returns whether it was still there.
  @discardableResult
  func drop(_ stream: NetStream) -> Bool {
    lock.withLock {
      outward = outward.filter { $0.value != stream.peer.stream }
      return streams.removeValue(forKey: stream.peer.stream) != nil
    }
  }
}
