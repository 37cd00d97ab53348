import CMoSystem
import MoOSC

/// Messages gathered to be sent together, each still a packet of its own: 64 of them a system call.
public struct NetBatch: ~Copyable {
  private let outbound: NetOutbound
  private var bytes: [UInt8] = []
  private var pieces: [Piece] = []

  private struct Piece {
    var start: Int
    var length: Int
    var end: NetOutbound.End
  }

  init(_ outbound: NetOutbound) { self.outbound = outbound }

  /// How many packets have been gathered.
  public var count: Int { pieces.count }

  /// Adds a message.
  ///
  /// - Throws: `NetError`.
  public mutating func send(_ address: String, _ values: any OSCValue..., to target: String) throws {
    try add(.message(OSCMessage(address, values: values)), to: target)
  }

  /// Adds a packet.
  ///
  /// - Throws: `NetError`.
  public mutating func send(_ packet: OSCPacket, to target: String) throws { try add(packet, to: target) }

  private mutating func add(_ packet: OSCPacket, to text: String) throws(NetError) {
    let target = try outbound.target(text)
    let encoded = try NetOutbound.encode(packet)
    if encoded.count > NetOutbound.longestDatagram {
      throw .tooLong(bytes: encoded.count, most: NetOutbound.longestDatagram)
    }
    // A connection gathers by itself, and a name that is being looked up cannot be waited for here.
    guard target.transport == .udp else { return try outbound.send(encoded, to: target) }
    let outbound = outbound
    let ends = try outbound.ends(of: target) { error in
      if error == nil { try? outbound.send(encoded, to: target) }
    }
    for end in ends { pieces.append(Piece(start: bytes.count, length: encoded.count, end: end)) }
    if !ends.isEmpty { bytes += encoded }
  }

  /// Gives all that was gathered to `send`; how many went, the error, and what it stands against.
  func withItems(
    _ send: (UnsafeBufferPointer<momu_outgoing>) -> (sent: Int, errno: Int32)
  ) -> (Int, Int32, (address: NetAddress, bytes: Int)?) {
    let (count, error) = bytes.withUnsafeBufferPointer { bytes in
      let items = pieces.map { piece in
        momu_outgoing(
          bytes: bytes.baseAddress.map { $0 + piece.start }, length: UInt32(piece.length),
          interface: UInt32(piece.end.interface), peer: piece.end.address.native)
      }
      return items.withUnsafeBufferPointer(send)
    }
    guard count < pieces.count else { return (count, error, nil) }
    return (count, error, (pieces[count].end.address, pieces[count].length))
  }
}
