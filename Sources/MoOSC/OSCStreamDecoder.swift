/// A decoder of a stream of packets, which detects by the first byte whether the framing is length prefixes or SLIP.
///
/// A stream with length prefixes begins with a zero byte, since each length is a big-endian 32-bit integer below 2²⁴. A
/// SLIP stream begins with END. If the sender puts no END before the first packet, a SLIP stream begins with the
/// packet's '/' or '#'.
package struct OSCStreamDecoder: Sendable {
  private enum Framing {
    case unknown
    case lengths(OSCLengthPrefix)
    case slip(OSCSlip)
  }

  private var framing = Framing.unknown

  /// Creates a decoder at the start of a stream.
  package init() {}

  /// Whether the stream is SLIP; nil until a byte has come.
  package var isSlip: Bool? {
    switch framing {
    case .unknown: nil
    case .lengths: false
    case .slip: true
    }
  }

  /// Appends the next bytes of the stream.
  package mutating func append(_ bytes: some Collection<UInt8>) {
    guard let first = bytes.first else { return }
    if case .unknown = framing { framing = first == 0 ? .lengths(OSCLengthPrefix()) : .slip(OSCSlip()) }
    switch framing {
    case .lengths(var decoder):
      framing = .unknown
      decoder.append(bytes)
      framing = .lengths(decoder)
    case .slip(var decoder):
      framing = .unknown
      decoder.append(bytes)
      framing = .slip(decoder)
    case .unknown: break
    }
  }

  /// Returns the next whole packet's bytes, or nil until more bytes have come.
  ///
  /// - Throws: `OSCError.malformed`, in the same cases as `OSCLengthPrefix.next()` for a stream with length prefixes,
  ///   and as `OSCSlip.next()` for SLIP.
  package mutating func next() throws(OSCError) -> [UInt8]? {
    switch framing {
    case .unknown: return nil
    case .lengths(var decoder):
      framing = .unknown
      defer { framing = .lengths(decoder) }
      return try decoder.next()
    case .slip(var decoder):
      framing = .unknown
      defer { framing = .slip(decoder) }
      return try decoder.next()
    }
  }
}

/// A decoder of a stream of packets, each preceded by its size: OSC 1.0 over TCP.
///
/// The size is a 32-bit big-endian integer and does not count its own four bytes. The files of tapes have the same
/// format.
package struct OSCLengthPrefix: Sendable {
  private var buffer: [UInt8] = []
  private var head = 0

  /// The position in the stream, in bytes, of the size that precedes the next packet.
  package private(set) var offset = 0

  /// Creates a decoder at the start of a stream.
  package init() {}

  /// The number of received bytes that do not form a whole packet yet.
  ///
  /// If the number is above 0 at the end of a stream, the stream was cut.
  package var pending: Int { buffer.count - head }

  /// The bytes that do not form a whole packet yet.
  var unread: ArraySlice<UInt8> { buffer[head...] }

  /// Returns a packet's bytes, preceded by their size.
  package static func frame(_ packet: [UInt8]) -> [UInt8] {
    withUnsafeBytes(of: UInt32(packet.count).bigEndian) { [UInt8]($0) } + packet
  }

  /// Appends the next bytes of the stream; their number is arbitrary, and they may begin and end within a packet.
  package mutating func append(_ bytes: some Sequence<UInt8>) {
    if head > 0 {
      buffer.removeFirst(head)
      head = 0
    }
    buffer.append(contentsOf: bytes)
  }

  /// Returns the next whole packet's bytes, or nil until more bytes have come.
  ///
  /// Read all packets before you append more bytes. Then the decoder never holds more than a packet and the bytes of
  /// one call of `append(_:)`.
  ///
  /// - Throws: `OSCError.malformed`, with the position in the stream, if the next four bytes are not a valid size of a
  ///   packet. In this case, the rest of the stream cannot be read: close the connection, or stop reading the file.
  package mutating func next() throws(OSCError) -> [UInt8]? {
    guard pending >= 4 else { return nil }
    let size = buffer[head..<(head + 4)].reduce(0) { $0 << 8 | Int($1) }
    // The shortest packet is a message such as "/" without values; a size of 65,535 is not a multiple of 4.
    guard size >= 8, size <= OSCPacket.maximumSize, size % 4 == 0 else {
      throw .malformed(
        "the size of a packet is \(size), but must be a multiple of 4 from 8 to \(OSCPacket.maximumSize / 4 * 4)",
        byte: offset)
    }
    guard pending >= 4 + size else { return nil }
    defer {
      head += 4 + size
      offset += 4 + size
    }
    return [UInt8](buffer[(head + 4)..<(head + 4 + size)])
  }
}

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
      decode(byte)
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

  private mutating func decode(_ byte: UInt8) {
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
