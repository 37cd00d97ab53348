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

/// The datagrams already received from a sender, so that each is accepted once.
///
/// The sender numbers its datagrams. A datagram whose number is 128 or more below the highest received number counts as
/// received.
///
/// - Source: the sliding window of RFC 6479 and IPsec (RFC 4303 § 3.4.3).
package struct ReplayWindow: Sendable {
  /// The number of datagrams, counted back from the newest, that can still be accepted.
  static let size: UInt64 = 128

  private var newest: UInt64
  /// A bit for each of the newest 128 datagrams, set if the datagram was received.
  ///
  /// The lowest bit of `low` stands for the newest datagram, the highest bit of `high` for the oldest.
  private var seen: (low: UInt64, high: UInt64)

  /// Creates the window of a sender.
  ///
  /// - Parameter number: the number of a datagram; this datagram and all before it count as received.
  package init(after number: UInt64) {
    newest = number
    seen = (.max, .max)
  }

  /// Returns whether a datagram is received for the first time, and marks it as received.
  package mutating func accept(_ number: UInt64) -> Bool {
    if number > newest {
      shift(by: number - newest)
      newest = number
      seen.low |= 1
      return true
    }
    let age = newest - number
    guard age < Self.size else { return false }
    if age < 64 {
      let bit: UInt64 = 1 << age
      defer { seen.low |= bit }
      return seen.low & bit == 0
    }
    let bit: UInt64 = 1 << (age - 64)
    defer { seen.high |= bit }
    return seen.high & bit == 0
  }

  private mutating func shift(by count: UInt64) {
    switch count {
    case 0..<64: seen = (seen.low << count, seen.high << count | seen.low >> (64 - count))
    case 64..<128: seen = (0, seen.low << (count - 64))
    default: seen = (0, 0)
    }
  }
}

/// The number of datagrams that a locked room has received, by outcome.
package struct SealedCounts: Hashable, Sendable {
  /// The number of accepted datagrams: with the room's key, received for the first time, from a sender that is present.
  package var accepted = 0
  /// The number of dropped datagrams that were for another room, or were not sealed.
  package var foreign = 0
  /// The number of dropped datagrams for a room of this name that were sealed with another key, or changed in transit.
  package var forged = 0
  /// The number of dropped datagrams with the room's key that were received before, or are so old that this is not
  /// known.
  package var replayed = 0
  /// The number of dropped datagrams with the room's key from a sender that has not yet proved that it is present.
  package var unproven = 0

  /// Creates counts of 0.
  package init() {}
}
