/// What a packet is, by its first byte.
enum PacketKind {
  case message, bundle
}

/// Tells what a packet is.
///
/// - Throws: `OSCError.malformed` where it is neither.
func packetKind(_ packet: PacketCursor) throws(OSCError) -> PacketKind {
  guard packet.count > 0 else { throw .malformed("the packet is empty", byte: packet.byte) }
  guard packet.count % 4 == 0 else {
    throw .malformed("\(packet.count) bytes are no multiple of 4, as every packet is", byte: packet.byte)
  }
  switch packet.peek {
  case UInt8(ascii: "/"): return .message
  case UInt8(ascii: "#"): return .bundle
  default: throw .malformed("a packet begins with '/' or '#bundle'", byte: packet.byte)
  }
}

/// A place among the elements of a bundle.
///
/// liblo writes bundles and dispatches them to a server's methods, but offers no function that reads one.
struct BundleCursor {
  /// When the bundle takes effect.
  let timeTag: OSCTimeTag
  private var rest: PacketCursor

  /// - Parameter depth: how many bundles this one is inside of.
  /// - Throws: `OSCError.malformed` where it does not begin as a bundle does, or lies too deep.
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

  /// The next element, or nil at the end.
  mutating func next() throws(OSCError) -> PacketCursor? {
    guard rest.count > 0 else { return nil }
    let start = rest.byte
    let size = Int(clamping: try rest.takeUInt32("the size of an element"))
    guard size <= rest.count else {
      throw .malformed("an element of \(size) bytes is announced and \(rest.count) are left", byte: start)
    }
    return rest.take(size)
  }
}
