/// Packets one after another in a stream of bytes, each behind its size: how OSC 1.0 travels over TCP.
///
/// The size is a 32-bit big-endian integer and does not count itself. Tapes are such streams, too.
public struct OSCLengthPrefix: Sendable {
  private var buffer: [UInt8] = []
  private var head = 0

  /// Where in the stream the next packet's size stands: the bytes consumed so far.
  public private(set) var offset = 0

  /// A decoder at the start of a stream.
  public init() {}

  /// Bytes that have come but belong to no whole packet yet: above 0 at a stream's end, it was cut.
  public var pending: Int { buffer.count - head }

  /// Those bytes.
  var unread: ArraySlice<UInt8> { buffer[head...] }

  /// A packet's bytes with their size in front.
  public static func frame(_ packet: [UInt8]) -> [UInt8] {
    withUnsafeBytes(of: UInt32(packet.count).bigEndian) { [UInt8]($0) } + packet
  }

  /// Takes in what came next on the stream; pieces may be of any size.
  public mutating func append(_ bytes: some Sequence<UInt8>) {
    if head > 0 {
      buffer.removeFirst(head)
      head = 0
    }
    buffer.append(contentsOf: bytes)
  }

  /// The next whole packet's bytes, or nil until more has come.
  ///
  /// Take all there are before appending more, so that no more than a packet and a piece is ever held.
  ///
  /// - Throws: `OSCError.malformed`, with the place in the stream, for a size that no packet has. A stream
  ///   cannot be followed beyond it: close the connection, or stop reading the file.
  public mutating func next() throws(OSCError) -> [UInt8]? {
    guard pending >= 4 else { return nil }
    let size = buffer[head..<(head + 4)].reduce(0) { $0 << 8 | Int($1) }
    // The shortest packet is a message such as "/" with no values; a size of 65,535 is no multiple of 4.
    guard size >= 8, size <= OSCPacket.maximumSize, size % 4 == 0 else {
      throw .malformed(
        "\(size) is no size of a packet: a multiple of 4 from 8 to \(OSCPacket.maximumSize / 4 * 4)",
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
