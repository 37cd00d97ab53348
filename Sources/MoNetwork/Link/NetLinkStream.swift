import CMoSystem
import Glibc
import MoCore
import MoOSC

/// A TCP connection to a target, which is made again whenever it ends.
///
/// The connection tracks which messages the target's machine has acknowledged.
///
/// - Thread: any, but one at a time.
struct NetLinkStream {
  private enum Phase {
    case closed
    case connecting(Int32, since: HostTime)
    case open(Int32)
  }

  /// The address of the connection's other end.
  var peer: NetAddress? {
    didSet { if oldValue != peer, oldValue != nil { fail("its address has changed") } }
  }
  private let isSlip: Bool
  private var phase = Phase.closed
  private var reason: String?
  private var decoder = OSCStreamDecoder()
  private var outgoing: [UInt8] = []
  /// The number of bytes that this machine's kernel has accepted for this connection.
  private var written = 0
  /// The positions at which messages end, in bytes since this connection began; the messages from index `first` on are
  /// not acknowledged yet.
  private var ends: [Int] = []
  private var first = 0
  private var framed = 0
  private var (lost, doubtful) = (0, 0)
  private var connections = 0
  /// The time of the last acknowledgement on this or an earlier connection; nil before the first acknowledgement.
  private var acknowledged: HostTime?
  private var nextTry = HostTime.distantPast
  private var pause = NetLinkStream.shortestPause

  /// The largest number of bytes that wait to be sent because the receiver is slow; further messages are refused.
  private static let mostWaiting = 262_144
  /// The timeout of an attempt to connect, in seconds.
  private static let timeout = 3.0
  /// The shortest and the longest pause between two attempts to connect, in seconds; the pause doubles after each
  /// attempt.
  private static let (shortestPause, longestPause) = (0.5, 8.0)

  init(isSlip: Bool) { self.isSlip = isSlip }

  /// Sends a packet to the other end.
  ///
  /// - Throws: `NetError.disconnected` if there is no connection, `.congested` if the other end is too slow.
  mutating func send(_ packet: [UInt8], as target: String) throws(NetError) {
    guard case .open(let descriptor) = phase else {
      throw .disconnected(target, reason: reason ?? "the connection is not ready yet")
    }
    let frame = isSlip ? OSCSlip.frame(packet) : OSCLengthPrefix.frame(packet)
    guard outgoing.count + frame.count <= Self.mostWaiting else { throw .congested(target) }
    outgoing += frame
    framed += frame.count
    ends.append(framed)
    flush(descriptor)
    // A reader that has stopped must not make the list grow.
    if ends.count > 8192 { trim(descriptor) }
  }

  /// Connects, sends and receives as far as possible without waiting, and stores the connection's state in `event`.
  mutating func poll(_ event: inout NetLinkEvent, now: HostTime) {
    switch phase {
    case .closed: if now >= nextTry { connect(now) }
    case .connecting(let descriptor, let since): finish(descriptor, since, now)
    case .open(let descriptor):
      read(descriptor, &event)
      flush(descriptor)
      trim(descriptor)
    }
    if case .open(let descriptor) = phase {
      let age = momu_acknowledged_ms(descriptor)
      if age >= 0 { acknowledged = now.advanced(bySeconds: -Double(age) / 1000) }
    }
    if case .connecting(let descriptor, let since) = phase { finish(descriptor, since, now) }
    popLosses(&event)
    event.pending = ends.count - first
    (event.connections, event.acknowledged) = (connections, acknowledged)
    if case .open = phase {
      event.connection = .open
    } else if let reason {
      event.connection = .closed(reason: reason)
    }
  }

  /// Stores in `event` the numbers of lost and doubtful messages since the last call, and resets these numbers to 0.
  mutating func popLosses(_ event: inout NetLinkEvent) {
    (event.lost, event.doubtful) = (lost, doubtful)
    (lost, doubtful) = (0, 0)
  }

  private mutating func connect(_ now: HostTime) {
    guard let peer else { return }
    nextTry = now.advanced(bySeconds: pause)
    pause = min(2 * pause, Self.longestPause)
    var native = peer.native
    let descriptor = momu_tcp_connect(&native)
    guard descriptor >= 0 else {
      reason = String(cString: strerror(-descriptor))
      return
    }
    phase = .connecting(descriptor, since: now)
  }

  private mutating func finish(_ descriptor: Int32, _ since: HostTime, _ now: HostTime) {
    var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    guard momu_poll(&request, 1, 0) > 0 else {
      if now.seconds(since: since) > Self.timeout { fail(String(cString: strerror(ETIMEDOUT))) }
      return
    }
    let error = momu_socket_error(descriptor)
    guard error == 0 else { return fail(String(cString: strerror(error))) }
    phase = .open(descriptor)
    reason = nil
    connections += 1
    pause = Self.shortestPause
    decoder = OSCStreamDecoder()
  }

  private mutating func flush(_ descriptor: Int32) {
    while !outgoing.isEmpty {
      let count = Glibc.send(descriptor, outgoing, outgoing.count, Int32(MSG_NOSIGNAL))
      if count < 0 {
        if errno == EAGAIN || errno == EINTR { return }
        return fail(errno)
      }
      written += count
      outgoing.removeFirst(count)
    }
  }

  private mutating func read(_ descriptor: Int32, _ event: inout NetLinkEvent) {
    var bytes = [UInt8](repeating: 0, count: 4096)
    for _ in 0..<64 {
      let count = recv(descriptor, &bytes, bytes.count, Int32(MSG_DONTWAIT))
      if count < 0, errno == EAGAIN || errno == EINTR { return }
      guard count > 0 else {
        return count == 0 ? fail("the other side closed it", isRefused: true) : fail(errno)
      }
      decoder.append(bytes[..<count])
      do throws(OSCError) {
        while let packet = try decoder.next() { event.packets.append(packet) }
      } catch {
        return fail(error.description)
      }
    }
  }

  /// Updates the list of unacknowledged messages: removes the messages that the kernel of the target's machine has
  /// acknowledged meanwhile.
  private mutating func trim(_ descriptor: Int32) {
    let open = Int(momu_unacknowledged(descriptor))
    guard open >= 0 else { return }
    while first < ends.count, ends[first] <= written - open { first += 1 }
    if first > 1024 || first == ends.count {
      ends.removeFirst(first)
      first = 0
    }
  }

  private mutating func fail(_ error: Int32) {
    fail(String(cString: strerror(error)), isRefused: error == ECONNRESET || error == EPIPE)
  }

  /// Closes the connection after a failure; counts each unacknowledged message as lost or as doubtful.
  ///
  /// - Parameter isRefused: whether the other end closed the connection. In this case, all messages that arrived there
  ///   are acknowledged already, so each unacknowledged message is lost and not doubtful.
  private mutating func fail(_ why: String, isRefused: Bool = false) {
    switch phase {
    case .closed: return
    case .connecting(let descriptor, _): close(descriptor)
    case .open(let descriptor):
      trim(descriptor)
      if !isRefused { countDoubtful(descriptor) }
      // A message that counts as lost must not arrive later.
      var linger = Glibc.linger(l_onoff: 1, l_linger: 0)
      if first < ends.count {
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout<Glibc.linger>.size))
      }
      close(descriptor)
    }
    lost += ends.count - first
    (ends, first, framed, written, outgoing) = ([], 0, 0, 0, [])
    phase = .closed
    reason = why
  }

  /// Adds the number of sent but unacknowledged messages to `doubtful`: for each of them, either the message or only
  /// its acknowledgement was lost.
  private mutating func countDoubtful(_ descriptor: Int32) {
    let unsent = Int(momu_unsent(descriptor))
    guard unsent >= 0 else { return }
    while first < ends.count, ends[first] <= written - unsent {
      first += 1
      doubtful += 1
    }
  }

  /// Closes the connection.
  mutating func end() { fail("it was ended") }
}
