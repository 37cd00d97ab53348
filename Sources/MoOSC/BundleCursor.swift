/// The kind of a packet, by its first byte.
enum PacketKind {
  case message, bundle
}

/// Returns the kind of a packet by its first byte: '/' for a message, '#' for a bundle.
///
/// - Throws: `OSCError.malformed` for any other first byte, and for a size that is 0 or not a multiple of 4.
func packetKind(_ packet: PacketCursor) throws(OSCError) -> PacketKind {
  guard packet.count > 0 else { throw .malformed("the packet is empty", byte: packet.byte) }
  guard packet.count % 4 == 0 else {
    throw .malformed("the packet has \(packet.count) bytes, but must have a multiple of 4", byte: packet.byte)
  }
  switch packet.peek {
  case UInt8(ascii: "/"): return .message
  case UInt8(ascii: "#"): return .bundle
  default: throw .malformed("a packet begins with '/' or '#bundle'", byte: packet.byte)
  }
}

/// A reader of the elements of a bundle, from first to last.
///
/// liblo can write bundles and dispatch them to a server's methods, but it has no function that only reads a bundle.
struct BundleCursor {
  /// The time at which the bundle takes effect.
  let timeTag: OSCTimeTag
  private var rest: PacketCursor

  /// - Parameter depth: the number of bundles that enclose this bundle.
  /// - Throws: `OSCError.malformed` if the bytes do not begin with `#bundle`, or if the bundle is nested too deep.
  init(_ packet: PacketCursor, depth: Int) throws(OSCError) {
    guard depth < OSCPacket.maximumDepth else {
      throw .malformed("bundles are nested deeper than \(OSCPacket.maximumDepth)", byte: packet.byte)
    }
    guard packet.begins(with: "#bundle\0") else {
      throw .malformed("a packet that begins with '#' begins with '#bundle'", byte: packet.byte)
    }
    rest = packet
    try rest.skip(8, "the name #bundle")
    timeTag = OSCTimeTag(rawValue: try rest.takeUInt64("the bundle's time tag"))
  }

  /// Returns the next element, or nil at the end.
  mutating func next() throws(OSCError) -> PacketCursor? {
    guard rest.count > 0 else { return nil }
    let start = rest.byte
    let size = Int(clamping: try rest.takeUInt32("the size of an element"))
    guard size <= rest.count else {
      throw .malformed(
        "an element of \(size) bytes is announced, but only \(rest.count) are left", byte: start)
    }
    return rest.take(size)
  }
}
