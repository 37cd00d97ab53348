import CMoSystem
import MoOSC

/// A batch of messages that are sent together, each as a separate packet: up to 64 packets per system call.
public struct NetBatch: ~Copyable {
  private let outbound: NetSender
  private var bytes: [UInt8] = []
  private var pieces: [Piece] = []
  /// Whether the socket for sending has been opened.
  private var isReady = false
  /// The target of the previous packet, with its address if it has a single address; stored because most batches go to
  /// a single target.
  private var latest: (text: String, target: NetTarget, end: NetSender.End?)?

  private struct Piece {
    var start: Int
    var length: Int
    var end: NetSender.End
  }

  package init(_ outbound: NetSender) { self.outbound = outbound }

  /// The number of collected datagrams; messages to TCP targets are not collected.
  public var count: Int { pieces.count }

  /// Adds a message to the batch.
  ///
  /// - Throws: `NetError`.
  public mutating func send(_ address: String, _ values: any OSCValue..., to target: String) throws {
    let start = bytes.count
    do throws(OSCError) {
      try OSCMessage.append(address, values.map(\.oscArgument), to: &bytes)
    } catch {
      throw NetError.unsendable(error)
    }
    try addPacket(from: start, to: target)
  }

  /// Adds a message or a bundle to the batch.
  ///
  /// - Throws: `NetError`.
  public mutating func send(_ packet: OSCPacket, to target: String) throws { try add(packet, to: target) }

  private mutating func add(_ packet: OSCPacket, to target: String) throws(NetError) {
    let start = bytes.count
    bytes += try NetSender.encode(packet)
    try addPacket(from: start, to: target)
  }

  /// Adds a packet for the target `text`: the packet consists of the collected bytes from the index `start` on.
  ///
  /// After an error, these bytes are removed.
  private mutating func addPacket(from start: Int, to text: String) throws(NetError) {
    let length = bytes.count - start
    do throws(NetError) {
      if latest?.text != text { latest = (text, try outbound.target(text), nil) }
      guard let target = latest?.target else { return }
      if target.transport == .udp, length > NetSender.longestDatagram {
        throw .tooLong(bytes: length, most: NetSender.longestDatagram)
      }
      if !isReady {
        guard try outbound.ready() else { return bytes.removeLast(length) }
        isReady = true
      }
      if let end = latest?.end { return pieces.append(Piece(start: start, length: length, end: end)) }
      try addPacket(from: start, to: target)
    } catch {
      bytes.removeLast(length)
      throw error
    }
  }

  private mutating func addPacket(from start: Int, to target: NetTarget) throws(NetError) {
    let encoded = Array(bytes[start...])
    // A connection collects packets itself, and this code must not wait for a name to be looked up.
    guard target.transport == .udp else {
      try outbound.send(encoded, to: target)
      return bytes.removeLast(encoded.count)
    }
    let ends = try outbound.ends(of: target, later: outbound.resumption(encoded, to: target))
    for end in ends { pieces.append(Piece(start: start, length: encoded.count, end: end)) }
    if ends.isEmpty { bytes.removeLast(encoded.count) }
    if ends.count == 1 { latest?.end = ends[0] }
  }

  /// Calls `send` with all collected packets; returns the number of packets sent, and the first error.
  func withItems(
    _ send: (UnsafeBufferPointer<momu_outgoing>) -> NetSockets.Sending
  ) -> (sent: Int, error: NetError?) {
    let sending = bytes.withUnsafeBufferPointer { bytes in
      let items = pieces.map { piece in
        momu_outgoing(
          bytes: bytes.baseAddress.map { $0 + piece.start }, length: UInt32(piece.length),
          interface: UInt32(piece.end.interface), peer: piece.end.address.native)
      }
      return items.withUnsafeBufferPointer(send)
    }
    let error = sending.failure.map { failure in
      let piece = pieces[failure.index]
      return NetError(
        sendingTo: piece.end.address.description, bytes: piece.length, errno: failure.errno)
    }
    return (sending.sent, error)
  }
}
