import CMoSystem
import Glibc
import MoCore
import MoOSC
import Synchronization

/// A TCP connection, which this program or the other side has made; packets go in both directions.
///
/// - Thread: `mo-net` reads; any thread writes while it holds the lock of `NetSockets`.
package final class NetStream: @unchecked Sendable {
  // Unchecked: the network thread owns the decoder, and the sockets' lock guards the data to be written.
  package let descriptor: Int32
  let peer: NetPeer
  /// The target to which this program has connected; nil if the other side has connected.
  let target: NetTarget?
  /// Whether packets are sent with the framing SLIP, instead of length prefixes.
  ///
  /// It is true if the target specifies SLIP, or as soon as the other side has sent SLIP.
  private let isSlip: Atomic<Bool>
  private var decoder: OSCStreamDecoder
  private var outgoing: [UInt8] = []
  /// The reason why no more packets are sent on the connection; nil while it works.
  private(set) var failure: String?
  /// Whether the connection is not made yet, so that packets wait.
  private(set) var isConnecting: Bool
  /// The number of packets that wait until the connection is made.
  private(set) var waitingPackets = 0
  /// Whether `takeEnd` has returned the end of the connection.
  private var hasReportedEnd = false
  /// The host time of the last received data, in nanoseconds; before the first data, the time of the connection's
  /// creation.
  private let lastData: Atomic<Int64>
  /// The buffer for a single read.
  ///
  /// The buffer is so small that the queue has room for all messages of a read while `NetMessageQueue.isBusy` is false.
  private var piece = [UInt8](repeating: 0, count: 16_384)

  /// The largest number of bytes that may wait to be written; a connection whose other side reads too slowly is closed.
  static let mostOutgoing = 4 << 20

  init(descriptor: Int32, peer: NetPeer, target: NetTarget?, isConnecting: Bool, at now: HostTime) {
    lastData = Atomic(now.nanoseconds)
    self.descriptor = descriptor
    self.peer = peer
    self.target = target
    self.isConnecting = isConnecting
    isSlip = Atomic(target?.transport == .slip)
    decoder = OSCStreamDecoder()
  }

  deinit { close(descriptor) }

  /// The host time of the last received data, or of the connection's creation if no data has come.
  var lastHeard: HostTime { HostTime(nanoseconds: lastData.load(ordering: .relaxed)) }

  /// Whether data waits to be written.
  var isWaitingToWrite: Bool { !outgoing.isEmpty }

  /// Whether to call `flush` when the kernel reports that the other side accepts data, or that an attempt to connect
  /// has ended.
  var wantsToWrite: Bool { failure == nil && (isConnecting || isWaitingToWrite) }

  /// Reads received data, at most 16 KiB, and passes the complete packets to the receiver `inbound`.
  ///
  /// - Returns: the reason if the connection has ended, else nil.
  func read(into inbound: NetReceiver, clock: any TimeSource) -> String? {
    let count = recv(descriptor, &piece, piece.count, 0)
    if count < 0 { return errno == EAGAIN || errno == EINTR ? nil : String(cString: strerror(errno)) }
    guard count > 0 else { return "the other side closed it" }
    decoder.append(piece[..<count])
    var failure: String?
    let now = clock.now
    lastData.store(now.nanoseconds, ordering: .relaxed)
    inbound.withDispatcher { dispatcher in
      do throws(OSCError) {
        while let packet = try decoder.next() {
          packet.withUnsafeBytes { dispatcher.accept($0, from: peer, at: now) }
        }
      } catch {
        failure = error.description
      }
    }
    if decoder.isSlip == true { isSlip.store(true, ordering: .relaxed) }
    return failure
  }

  /// Sends a packet, or queues it until the connection is made and the other side accepts it.
  ///
  /// - Returns: the reason if the connection has ended, else nil.
  func send(_ packet: [UInt8]) -> String? {
    if let failure { return failure }
    let framed = isSlip.load(ordering: .relaxed) ? OSCSlip.frame(packet) : OSCLengthPrefix.frame(packet)
    if outgoing.count + framed.count <= Self.mostOutgoing {
      outgoing += framed
      if isConnecting { waitingPackets += 1 } else { write() }
    } else {
      stop(isConnecting ? "the other side does not answer" : "the other side reads too slowly")
    }
    return failure
  }

  /// Checks whether an attempt to connect has succeeded, and writes as much of the waiting data as the other side
  /// accepts now.
  ///
  /// - Returns: if this call finds that the connection is made, the number of packets that waited for it; else nil.
  func flush() -> Int? {
    guard failure == nil else { return nil }
    let isNew = isConnecting
    if isNew {
      let error = momu_socket_error(descriptor)
      guard error == 0 else {
        stop(String(cString: strerror(error)))
        return nil
      }
      isConnecting = false
    }
    write()
    return isNew ? waitingPackets : nil
  }

  private func write() {
    while !outgoing.isEmpty {
      let count = Glibc.send(descriptor, outgoing, outgoing.count, Int32(MSG_NOSIGNAL))
      if count < 0 {
        let error = errno
        if error != EAGAIN && error != EINTR { stop(String(cString: strerror(error))) }
        return
      }
      outgoing.removeFirst(count)
    }
  }

  /// Discards the data that waits to be written, and refuses further packets, unless this has been done.
  ///
  /// `read` still reads the data that the other side had sent before; after this data, `read` returns an end.
  func stop(_ reason: String) {
    guard failure == nil else { return }
    failure = reason
    outgoing = []
    // Without this, a connection that still works would never return an end.
    shutdown(descriptor, Int32(SHUT_RDWR))
  }

  /// Returns the end of the connection; nil while the connection works, and if an earlier call has returned the end.
  func takeEnd() -> NetStreamEnd? {
    guard let failure, !hasReportedEnd else { return nil }
    hasReportedEnd = true
    return NetStreamEnd(reason: failure, unsent: isConnecting ? waitingPackets : nil)
  }
}

/// The end of a connection, or of an attempt to connect.
struct NetStreamEnd {
  /// The reason of the end.
  var reason: String
  /// The number of packets that waited for the connection; nil if the connection was made.
  var unsent: Int?
}
