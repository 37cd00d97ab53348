/// Decodes a packet: MoMu decodes the structure of the bundles, and liblo decodes each message.
///
/// - Throws: `OSCError.malformed`.
func decodePacket(_ bytes: UnsafeRawBufferPointer) throws(OSCError) -> OSCPacket {
  guard bytes.count <= OSCPacket.maximumSize else {
    throw .malformed(
      "the packet has \(bytes.count) bytes, but must have at most \(OSCPacket.maximumSize)", byte: 0)
  }
  return try decode(PacketCursor(bytes), depth: 0)
}

private func decode(_ packet: PacketCursor, depth: Int) throws(OSCError) -> OSCPacket {
  switch try packetKind(packet) {
  case .message: return .message(try decodeMessage(packet))
  case .bundle:
    var elements = try BundleCursor(packet, depth: depth)
    var bundle = OSCBundle(elements.timeTag, [])
    while let element = try elements.next() {
      bundle.elements.append(try decode(element, depth: depth + 1))
    }
    return .bundle(bundle)
  }
}

private func decodeMessage(_ packet: PacketCursor) throws(OSCError) -> OSCMessage {
  try checkMessage(packet)
  var message = OSCMessage("")
  try OSCMessageView.read(packet.bytes, at: packet.byte) { message = $0.message }
  return message
}

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
    return rest.consume(size)
  }
}

/// Checks all bytes of a message before liblo sees them.
///
/// liblo's function `lo_message_deserialise` (version 0.31) also checks the bytes, but does not report what is wrong or
/// where. It also reads the size of a blob from beyond the end if fewer than 4 bytes are left.
///
/// - Parameter allowsUnknown: whether an unknown type is no error. The values from this type on are then not checked,
///   since the size of its value is not known.
/// - Returns: whether all types are known.
@discardableResult
func checkMessage(_ packet: PacketCursor, allowsUnknown: Bool = false) throws(OSCError) -> Bool {
  var rest = packet
  _ = try rest.takeString("the address")
  guard rest.peek == UInt8(ascii: ",") else {
    throw .malformed("after the address come the types of the values, beginning with ','", byte: rest.byte)
  }
  let tagsAt = rest.byte
  let tags = try rest.takeString("the list of types")
  // The first is the comma.
  var index = 0
  while index + 1 < tags.count {
    index += 1
    let tag = tags[index]
    func what() -> String {
      let shown =
        (0x21...0x7E).contains(tag) ? "'\(Character(Unicode.Scalar(tag)))'" : "byte \(tag)"
      return "argument \(index) (\(shown))"
    }
    switch tag {
    case UInt8(ascii: "i"), UInt8(ascii: "f"), UInt8(ascii: "c"), UInt8(ascii: "m"): try rest.skip(4, what())
    case UInt8(ascii: "h"), UInt8(ascii: "d"), UInt8(ascii: "t"): try rest.skip(8, what())
    case UInt8(ascii: "s"), UInt8(ascii: "S"): _ = try rest.takeString(what())
    case UInt8(ascii: "b"):
      var ahead = rest
      let length = Int(clamping: try ahead.takeUInt32(what()))
      // Compared first, so that the sum cannot overflow.
      guard length <= ahead.count else {
        throw .malformed("\(what()) has \(length) bytes, but only \(ahead.count) are left", byte: rest.byte)
      }
      rest = ahead
      try rest.skipPadded(length, to: (length + 3) & ~3, what())
    case UInt8(ascii: "T"), UInt8(ascii: "F"), UInt8(ascii: "N"), UInt8(ascii: "I"): break
    default:
      if allowsUnknown { return false }
      throw .malformed(
        "\(what()) has an unknown type: \(OSCArgument.knownTypes)", byte: tagsAt + index)
    }
  }
  guard rest.count == 0 else {
    throw .malformed("\(rest.count) bytes are left after the last argument", byte: rest.byte)
  }
  return true
}
