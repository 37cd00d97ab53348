/// The bytes of a sealed datagram: a clear header (room, sender, counter), then ciphertext and tag.
///
/// | bytes | what |
/// |---|---|
/// | 0, 1 | `M`, 1: no OSC packet begins like this |
/// | 2 | the kind |
/// | 3 | 0 |
/// | 4 … 11 | the room's number |
/// | 12 … 19 | the sender's number, which changes at each start |
/// | 20 … 27 | the counter: the number of this datagram among the datagrams of its sender |
/// | 28 … | the ciphertext and its tag of 16 bytes |
///
/// Numbers are big-endian.
struct SealedDatagram {
  enum Kind: UInt8 {
    /// A datagram of the session.
    case text = 0
    /// A question that checks whether its receiver is present now: 16 bytes, and the receiver's number in 8 bytes.
    case challenge = 1
    /// The answer: the 16 bytes of the question, and, if the questioner is not yet trusted, 24 bytes of a question in
    /// return.
    case answer = 2
  }

  static let headerSize = 28
  /// The number of bytes that sealing adds.
  static let overhead = headerSize + Sodium.tagSize

  let kind: Kind
  let room: UInt64
  let sender: UInt64
  let counter: UInt64

  /// Returns whether some bytes begin like a sealed datagram.
  static func isSealed(_ bytes: [UInt8]) -> Bool { bytes.count >= 2 && bytes[0] == 0x4D && bytes[1] == 1 }

  init(_ kind: Kind, room: UInt64, sender: UInt64, counter: UInt64) {
    (self.kind, self.room, self.sender, self.counter) = (kind, room, sender, counter)
  }

  /// Parses the header of a sealed datagram; nil for any other bytes.
  init?(_ bytes: [UInt8]) {
    guard Self.isSealed(bytes), bytes.count >= Self.overhead, let kind = Kind(rawValue: bytes[2]),
      bytes[3] == 0
    else { return nil }
    self.init(
      kind, room: UInt64(bigEndianBytes: bytes[4..<12]), sender: UInt64(bigEndianBytes: bytes[12..<20]),
      counter: UInt64(bigEndianBytes: bytes[20..<28]))
  }

  var header: [UInt8] {
    [0x4D, 1, kind.rawValue, 0] + room.bigEndianBytes + sender.bigEndianBytes + counter.bigEndianBytes
  }

  /// The nonce of the cipher: no two datagrams have the same key and nonce, because each sender has its own key and
  /// numbers its datagrams.
  var nonce: [UInt8] { counter.bigEndianBytes + [0, 0, 0, 0] }
}
