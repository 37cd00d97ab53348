import Glibc

/// Goes through the messages of a packet where they lie, without making values of them.
package enum OSCPacketReader {
  /// Checks a whole packet, then visits its messages in order.
  ///
  /// A packet of which a part is no OSC is refused as a whole, so nothing of it has been visited then.
  ///
  /// - Parameters:
  ///   - bytes: the packet, at most `OSCPacket.maximumSize` bytes.
  ///   - visit: given a message's bytes, and the time tag of the innermost bundle it is in; nil outside one.
  /// - Throws: `OSCError.malformed`, which says what is wrong at which byte.
  package static func messages(
    of bytes: UnsafeRawBufferPointer, _ visit: (UnsafeRawBufferPointer, OSCTimeTag?) -> Void
  ) throws(OSCError) {
    guard bytes.count <= OSCPacket.maximumSize else {
      throw .malformed("\(bytes.count) bytes are more than a packet's \(OSCPacket.maximumSize)", byte: 0)
    }
    let packet = PacketCursor(bytes)
    if packet.peek == UInt8(ascii: "#") { try walk(packet, depth: 0, tag: nil) { _, _ in } }
    try walk(packet, depth: 0, tag: nil, visit)
  }

  /// The address of a message that has been checked, without its closing zero.
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
