import CMoSystem
import Glibc
import MoCore
import MoOSC
import Synchronization

/// A TCP connection, made by either side: packets in both directions.
///
/// - Thread: read by the network thread; written under the sockets' lock.
final class NetStream: @unchecked Sendable {
  // Unchecked: the network thread owns the decoder, and the sockets' lock guards the data to be written.
  let descriptor: Int32
  let peer: NetPeer
  /// The framing of the packets that we send: as the target specifies, or as the other end does.
  private let isSlip: Atomic<Bool>
  private var decoder: OSCStreamDecoder
  private var outgoing: [UInt8] = []
  /// The time of the last data, in nanoseconds of the host clock.
  private let heard: Atomic<Int64>
  /// The buffer of a read, so small that there is room for its messages (`NetMessageQueue.isBusy`).
  private var piece = [UInt8](repeating: 0, count: 16_384)

  /// The most bytes that wait for a slow reader; a connection with more is closed.
  static let mostOutgoing = 4 << 20

  init(descriptor: Int32, peer: NetPeer, framing: NetTarget.Transport?, at now: HostTime) {
    heard = Atomic(now.nanoseconds)
    self.descriptor = descriptor
    self.peer = peer
    isSlip = Atomic(framing == .slip)
    decoder = OSCStreamDecoder()
  }

  deinit { close(descriptor) }

  /// The time of the last data, or of the connection's creation if no data has come.
  var lastHeard: HostTime { HostTime(nanoseconds: heard.load(ordering: .relaxed)) }

  /// Whether data waits to be written.
  var isWaitingToWrite: Bool { !outgoing.isEmpty }

  /// Reads the received data, one piece at most, into an inbound.
  ///
  /// - Returns: the reason if the connection has ended, else nil.
  func read(into inbound: NetReceiver, clock: any TimeSource) -> String? {
    let count = recv(descriptor, &piece, piece.count, 0)
    if count < 0 { return errno == EAGAIN || errno == EINTR ? nil : String(cString: strerror(errno)) }
    guard count > 0 else { return "the other side closed it" }
    decoder.append(piece[..<count])
    var failure: String?
    let now = clock.now
    heard.store(now.nanoseconds, ordering: .relaxed)
    inbound.intake { intake in
      do throws(OSCError) {
        while let packet = try decoder.next() {
          packet.withUnsafeBytes { intake.accept($0, from: peer, at: now) }
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
    let framed = isSlip.load(ordering: .relaxed) ? OSCSlip.frame(packet) : OSCLengthPrefix.frame(packet)
    guard outgoing.count + framed.count <= Self.mostOutgoing else { return "the other side reads too slowly" }
    outgoing += framed
    return flush()
  }

  /// Writes as much as the other side accepts now.
  func flush() -> String? {
    while !outgoing.isEmpty {
      let count = Glibc.send(descriptor, outgoing, outgoing.count, Int32(MSG_NOSIGNAL))
      if count < 0 {
        return errno == EAGAIN || errno == EINTR || errno == ENOTCONN ? nil : String(cString: strerror(errno))
      }
      outgoing.removeFirst(count)
    }
    return nil
  }
}
