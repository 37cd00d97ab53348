import CMoSystem
import Glibc
import MoCore
import MoOSC
import Synchronization

/// A TCP connection, made by us or by another: packets both ways.
///
/// - Thread: read by the network thread; written to under the sockets' lock.
final class NetStream: @unchecked Sendable {
  // Unchecked: the decoder belongs to the network thread, what waits to be written to the sockets' lock.
  let descriptor: Int32
  let peer: NetPeer
  /// How we frame what we send: as we were asked, or as the other does.
  private let isSlip: Atomic<Bool>
  private var decoder: OSCStreamDecoder
  private var outgoing: [UInt8] = []
  /// When something last came, in nanoseconds of the host clock.
  private let heard: Atomic<Int64>
  /// Small enough that the messages in it find room (`NetMessageQueue.isBusy`).
  private var piece = [UInt8](repeating: 0, count: 16_384)

  /// Bytes that wait for a slow reader at most; a connection that has more is closed.
  static let mostOutgoing = 4 << 20

  init(descriptor: Int32, peer: NetPeer, framing: NetTarget.Transport?, at now: HostTime) {
    heard = Atomic(now.nanoseconds)
    self.descriptor = descriptor
    self.peer = peer
    isSlip = Atomic(framing == .slip)
    decoder = OSCStreamDecoder()
  }

  deinit { close(descriptor) }

  /// When something last came, or when it was made.
  var lastHeard: HostTime { HostTime(nanoseconds: heard.load(ordering: .relaxed)) }

  /// Whether something waits to be written.
  var isWaitingToWrite: Bool { !outgoing.isEmpty }

  /// Reads what has come, one piece at most, into an inbound.
  ///
  /// - Returns: why the connection has ended; nil while it goes on.
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

  /// Sends a packet, or lets it wait until the other side takes it.
  ///
  /// - Returns: why the connection has ended; nil while it goes on.
  func send(_ packet: [UInt8]) -> String? {
    let framed = isSlip.load(ordering: .relaxed) ? OSCSlip.frame(packet) : OSCLengthPrefix.frame(packet)
    guard outgoing.count + framed.count <= Self.mostOutgoing else { return "the other side reads too slowly" }
    outgoing += framed
    return flush()
  }

  /// Writes what the other side takes now.
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
