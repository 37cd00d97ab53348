import CMoSystem
import Glibc
import MoCore

extension NetSender {
  /// Sends a packet on the TCP connection to a target; opens the connection if there is none.
  func sendOnStream(_ bytes: [UInt8], _ target: NetTarget) throws(NetError) {
    let open = sockets.stream(to: target)
    let connected: (stream: NetStream, isNew: Bool)? =
      if let open { (open, false) } else { try connect(target, then: bytes) }
    guard let (stream, isNew) = connected else { return }
    // Without a lock, since a callback may do anything.
    if isNew { server?.notify(.connected(stream.peer.address)) }
    try put(bytes, on: stream, to: target.description)
  }

  /// The threads that want a connection to the same target: the first connects, and the others wait for the result.
  final class Connecting {
    let lock = MoMutex()
    /// The number of threads that use the object; guarded by the lock of `connecting`.
    var users = 0
    /// The reason why the last attempt failed; guarded by `lock`.
    var failure: NetError?
  }

  /// Returns the connection to a target; opens it if there is none.
  ///
  /// While a thread connects, other threads that may wait do not open another connection to the same target. They use
  /// the connection of the first thread, or get its error. A thread that may not wait begins a connection by itself,
  /// and packets wait until the connection is made. If both connect, they use the connection that was added first.
  ///
  /// - Returns: the connection, and whether this thread has made it; nil while the target's name is being looked up.
  ///   After the lookup, `bytes` are sent in the background.
  private func connect(
    _ target: NetTarget, then bytes: [UInt8]
  ) throws(NetError) -> (stream: NetStream, isNew: Bool)? {
    if momu_thread_is_timely() != 0 {
      let now = SystemClock().now
      if let reason = refusals.withLock({ $0.reason(target, at: now) }) {
        throw .disconnected(target.description, reason: reason)
      }
      return try openStream(target, then: bytes)
    }
    let turn = connecting.withLock { all -> Connecting in
      let turn = all[target] ?? Connecting()
      turn.users += 1
      all[target] = turn
      return turn
    }
    defer {
      connecting.withLock { all in
        turn.users -= 1
        if turn.users == 0 { all[target] = nil }
      }
    }
    let isFirst = turn.lock.tryAcquire()
    if !isFirst { turn.lock.acquire() }
    defer { turn.lock.release() }
    if let open = sockets.stream(to: target) { return (open, false) }
    if !isFirst, let failure = turn.failure { throw failure }
    do throws(NetError) {
      let opened = try openStream(target, then: bytes)
      turn.failure = nil
      return opened
    } catch {
      turn.failure = error
      throw error
    }
  }

  /// Sends a packet on an open TCP connection.
  func put(_ bytes: [UInt8], on stream: NetStream, to target: String) throws(NetError) {
    let (reason, end, beginsToWait, isConnecting) = sockets.send(bytes, on: stream)
    // The network thread reads the messages that the other side had sent before.
    if reason != nil || beginsToWait { server?.wakeThread() }
    // The end is reported here, since the next message may already make another connection to the same address.
    if let end { server?.ended(stream, end) }
    if let reason { throw .disconnected(target, reason: reason) }
    if !isConnecting { sent.wrappingAdd(1, ordering: .relaxed) }
  }

  /// Handles the failure of an attempt to connect for which `packets` packets waited.
  func connectingFailed(_ target: NetTarget, _ reason: String, packets: Int) {
    let now = SystemClock().now
    refusals.withLock { $0.add(target, reason, at: now) }
    fail(target, .disconnected(target.description, reason: reason), packets: packets)
  }

  /// Opens a TCP connection; if the calling thread may wait, waits for the connection for at most 3 s.
  ///
  /// - Returns: as `connect`.
  private func openStream(
    _ target: NetTarget, then bytes: [UInt8]
  ) throws(NetError) -> (stream: NetStream, isNew: Bool)? {
    let ends = try ends(of: target, later: resumption(bytes, to: target))
    guard let end = ends.first else { return nil }
    var native = end.address.native
    let descriptor = momu_tcp_connect(&native)
    guard descriptor >= 0 else {
      throw .disconnected(target.description, reason: String(cString: strerror(-descriptor)))
    }
    let mayWait = momu_thread_is_timely() == 0
    if mayWait {
      var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
      let answered = momu_poll(&request, 1, 3_000_000_000) > 0
      let error = answered ? momu_socket_error(descriptor) : ETIMEDOUT
      guard error == 0 else {
        close(descriptor)
        throw .disconnected(target.description, reason: String(cString: strerror(error)))
      }
    }
    let now = SystemClock().now
    guard
      let stream = sockets.add(
        descriptor, peer: end.address, target: target, isConnecting: !mayWait, at: now)
    else {
      throw .system("\(NetSockets.mostStreams) connections are open, the limit: close some")
    }
    return (stream, mayWait && stream.descriptor == descriptor)
  }
}
