import Glibc

/// A walk through the messages of a packet in place, without conversion to Swift values.
package enum OSCPacketReader {
  /// Checks a whole packet, then visits its messages in order.
  ///
  /// If a part of a packet is not OSC, the whole packet is refused before any message is visited.
  ///
  /// - Parameters:
  ///   - bytes: the packet, at most `OSCPacket.maximumSize` bytes.
  ///   - visit: receives a message's bytes, and the time tag of its innermost bundle; nil if it is in no bundle.
  /// - Throws: `OSCError.malformed`, which tells what is wrong and at which byte.
  package static func messages(
    of bytes: UnsafeRawBufferPointer, _ visit: (UnsafeRawBufferPointer, OSCTimeTag?) -> Void
  ) throws(OSCError) {
    guard bytes.count <= OSCPacket.maximumSize else {
      throw .malformed(
        "the packet has \(bytes.count) bytes, but must have at most \(OSCPacket.maximumSize)", byte: 0)
    }
    let packet = PacketCursor(bytes)
    if packet.peek == UInt8(ascii: "#") { try walk(packet, depth: 0, tag: nil) { _, _ in } }
    try walk(packet, depth: 0, tag: nil, visit)
  }

  /// Returns the address of a message that has been checked, without the closing zero.
  package static func address(ofMessage bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
    guard let start = bytes.baseAddress, let end = memchr(start, 0, bytes.count) else { return bytes }
    return UnsafeRawBufferPointer(start: start, count: UnsafeRawPointer(end) - start)
  }

  private static func walk(
    _ packet: PacketCursor, depth: Int, tag: OSCTimeTag?,
    _ visit: (UnsafeRawBufferPointer, OSCTimeTag?) -> Void
  ) throws(OSCError) {
    switch try packetKind(packet) {
    case .message:
      try checkMessage(packet)
      visit(packet.bytes, tag)
    case .bundle:
      var elements = try BundleCursor(packet, depth: depth)
      while let element = try elements.next() {
        try walk(element, depth: depth + 1, tag: elements.timeTag, visit)
      }
    }
  }
}
