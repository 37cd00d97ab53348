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
  /// Whether packets are sent with the framing SLIP, instead of length prefixes.
  ///
  /// It is true if the target specifies SLIP, or as soon as the other side has sent SLIP.
  private let isSlip: Atomic<Bool>
  private var decoder: OSCStreamDecoder
  private var outgoing: [UInt8] = []
  /// The reason why no more packets are sent on the connection; nil while it works.
  private(set) var failure: String?
  /// The host time of the last received data, in nanoseconds; before the first data, the time of the connection's
  /// creation.
  private let lastData: Atomic<Int64>
  /// The buffer for a single read.
  ///
  /// The buffer is so small that the queue has room for all messages of a read while `NetMessageQueue.isBusy` is false.
  private var piece = [UInt8](repeating: 0, count: 16_384)

  /// The largest number of bytes that may wait to be written; a connection whose other side reads too slowly is closed.
  static let mostOutgoing = 4 << 20

  init(descriptor: Int32, peer: NetPeer, framing: NetTarget.Transport?, at now: HostTime) {
    lastData = Atomic(now.nanoseconds)
    self.descriptor = descriptor
    self.peer = peer
    isSlip = Atomic(framing == .slip)
    decoder = OSCStreamDecoder()
  }

  deinit { close(descriptor) }

  /// The host time of the last received data, or of the connection's creation if no data has come.
  var lastHeard: HostTime { HostTime(nanoseconds: lastData.load(ordering: .relaxed)) }

  /// Whether data waits to be written.
  var isWaitingToWrite: Bool { !outgoing.isEmpty }

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

  /// Sends a packet, or queues it until the other side accepts it.
  ///
  /// - Returns: the reason if the connection has ended, else nil.
  func send(_ packet: [UInt8]) -> String? {
    if let failure { return failure }
    let framed = isSlip.load(ordering: .relaxed) ? OSCSlip.frame(packet) : OSCLengthPrefix.frame(packet)
    if outgoing.count + framed.count <= Self.mostOutgoing {
      outgoing += framed
      flush()
    } else {
      stop("the other side reads too slowly")
    }
    return failure
  }

  /// Writes as much of the waiting data as the other side accepts now.
  func flush() {
    while !outgoing.isEmpty {
      let count = Glibc.send(descriptor, outgoing, outgoing.count, Int32(MSG_NOSIGNAL))
      if count < 0 {
        let error = errno
        if ![EAGAIN, EINTR, ENOTCONN].contains(error) { stop(String(cString: strerror(error))) }
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
}
