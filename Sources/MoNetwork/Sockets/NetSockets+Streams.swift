import Glibc
import MoCore

extension NetSockets {
  /// Returns the open connection that this program made to a target; nil if there is none.
  func stream(to target: NetTarget) -> NetStream? { lock.withLock { outward[target].flatMap(working) } }

  /// Returns the connection with the given number; nil if the connection is closed.
  func stream(_ number: UInt32) -> NetStream? { lock.withLock { working(number) } }

  /// Returns the connection with the given number, unless sending on it has failed.
  private func working(_ number: UInt32) -> NetStream? {
    guard let stream = streams[number], stream.failure == nil else { return nil }
    return stream
  }

  /// Sends a packet on a connection.
  ///
  /// - Returns: `reason` is the reason if the connection has ended, else nil. `end` is the end that the caller must
  ///   report, nil for none. `beginsToWait` is whether data now waits to be written, although no data waited before
  ///   this call. `isConnecting` is whether the packet waits until the connection is made.
  func send(
    _ packet: [UInt8], on stream: NetStream
  ) -> (reason: String?, end: NetStreamEnd?, beginsToWait: Bool, isConnecting: Bool) {
    lock.withLock {
      let waited = stream.isWaitingToWrite
      let reason = stream.send(packet)
      return (reason, takeEnd(stream), !waited && stream.isWaitingToWrite, stream.isConnecting)
    }
  }

  /// Writes the waiting data of a connection, as `NetStream.flush`.
  ///
  /// - Returns: `packets` is the result of `NetStream.flush`. `end` is the end that the caller must report, nil for
  ///   none.
  func flush(_ stream: NetStream) -> (packets: Int?, end: NetStreamEnd?) {
    lock.withLock {
      guard streams[stream.peer.stream] != nil else { return (nil, nil) }
      return (stream.flush(), takeEnd(stream))
    }
  }

  /// Returns the end of a connection, as `NetStream.takeEnd`; nil if the connection is not in the list any more.
  ///
  /// A connection that was never made has received nothing to be read, so it is removed from the list.
  private func takeEnd(_ stream: NetStream) -> NetStreamEnd? {
    guard streams[stream.peer.stream] != nil, let end = stream.takeEnd() else { return nil }
    if stream.isConnecting { remove(stream) }
    return end
  }

  private func remove(_ stream: NetStream) {
    outward = outward.filter { $0.value != stream.peer.stream }
    streams[stream.peer.stream] = nil
  }

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
  /// If another thread has just added a connection to the same target, the function closes the new connection, and
  /// returns the other connection.
  ///
  /// - Parameter isConnecting: whether the connection is not made yet.
  package func add(
    _ descriptor: Int32, peer: NetAddress, target: NetTarget?, isConnecting: Bool = false, at now: HostTime
  ) -> NetStream? {
    lock.withLock {
      if let target, let open = outward[target].flatMap(working) {
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
        descriptor: descriptor, peer: NetPeer(address: peer, stream: number), target: target,
        isConnecting: isConnecting, at: now)
      streams[number] = stream
      if let target { outward[target] = number }
      return stream
    }
  }

  /// Closes a connection, and removes it from the list of open connections.
  ///
  /// - Parameter reason: the reason, unless sending on the connection has failed before.
  /// - Returns: the end that the caller must report, with the first reason; nil for none.
  func drop(_ stream: NetStream, _ reason: String) -> NetStreamEnd? {
    lock.withLock {
      stream.stop(reason)
      defer { remove(stream) }
      return takeEnd(stream)
    }
  }
}
