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
