/// A decoder of a stream of packets between END bytes: OSC 1.1 over TCP and serial lines.
///
/// The format is SLIP as in RFC 1055 (1988). `frame` writes an END both before and after each packet, so that noise
/// between two packets becomes a packet of its own. The decoder accepts any number of END bytes between packets.
package struct OSCSlip: Sendable {
  private var packet: [UInt8] = []
  private var ready: [[UInt8]] = []
  private var taken = 0
  private var isEscaped = false
  private var failure: OSCError?

  /// The number of bytes that were appended so far, which is the position of the next byte in the stream.
  package private(set) var offset = 0

  private static let end: UInt8 = 0xC0
  private static let escape: UInt8 = 0xDB
  private static let escapedEnd: UInt8 = 0xDC
  private static let escapedEscape: UInt8 = 0xDD

  /// Creates a decoder at the start of a stream.
  package init() {}

  /// The number of received bytes that do not form a whole packet yet.
  ///
  /// If the number is above 0 at the end of a stream, the stream was cut.
  package var pending: Int { packet.count + (isEscaped ? 1 : 0) }

  /// Returns a packet's bytes, escaped, between two END bytes.
  package static func frame(_ packet: [UInt8]) -> [UInt8] {
    var framed = [end]
    framed.reserveCapacity(packet.count + 2)
    for byte in packet {
      switch byte {
      case end: framed += [escape, escapedEnd]
      case escape: framed += [escape, escapedEscape]
      default: framed.append(byte)
      }
    }
    framed.append(end)
    return framed
  }

  /// Appends the next bytes of the stream; their number is arbitrary, and they may begin and end within a packet.
  package mutating func append(_ bytes: some Sequence<UInt8>) {
    for byte in bytes {
      guard failure == nil else { return }
      take(byte)
      offset += 1
    }
  }

  /// Returns the next whole packet's bytes, or nil until more bytes have come.
  ///
  /// Read all packets before you append more bytes. Then the decoder never holds more than a packet and the bytes of
  /// one call of `append(_:)`.
  ///
  /// - Throws: `OSCError.malformed`, with the position in the stream, for an invalid escape and for a packet that is
  ///   too long. The rest of the stream cannot be read then: close the connection.
  package mutating func next() throws(OSCError) -> [UInt8]? {
    if taken < ready.count {
      defer { taken += 1 }
      return ready[taken]
    }
    ready.removeAll(keepingCapacity: true)
    taken = 0
    if let failure { throw failure }
    return nil
  }

  private mutating func take(_ byte: UInt8) {
    if isEscaped {
      isEscaped = false
      switch byte {
      case Self.escapedEnd: add(Self.end)
      case Self.escapedEscape: add(Self.escape)
      default:
        failure = .malformed("after an escape comes DC or DD, not \(String(byte, radix: 16))", byte: offset)
      }
      return
    }
    switch byte {
    case Self.end:
      if !packet.isEmpty { ready.append(packet) }
      packet.removeAll(keepingCapacity: true)
    case Self.escape: isEscaped = true
    default: add(byte)
    }
  }

  private mutating func add(_ byte: UInt8) {
    guard packet.count < OSCPacket.maximumSize else {
      failure = .malformed("a packet is longer than \(OSCPacket.maximumSize) bytes", byte: offset)
      return
    }
    packet.append(byte)
  }
}
