/// Reads a packet: the frame of bundles here, each message in it by liblo.
///
/// liblo writes bundles and dispatches them to a server's methods, but offers no function that reads one.
func decodePacket(_ bytes: UnsafeRawBufferPointer) throws(OSCError) -> OSCPacket {
  guard bytes.count <= OSCPacket.maximumSize else {
    throw .malformed("\(bytes.count) bytes are more than a packet's \(OSCPacket.maximumSize)", byte: 0)
  }
  return try decode(PacketCursor(bytes), depth: 0)
}

private func decode(_ packet: PacketCursor, depth: Int) throws(OSCError) -> OSCPacket {
  guard packet.count > 0 else { throw .malformed("the packet is empty", byte: packet.byte) }
  guard packet.count % 4 == 0 else {
    throw .malformed("\(packet.count) bytes are no multiple of 4, as every packet is", byte: packet.byte)
  }
  switch packet.peek {
  case UInt8(ascii: "/"): return .message(try decodeMessage(packet))
  case UInt8(ascii: "#"): return .bundle(try decodeBundle(packet, depth: depth))
  default: throw .malformed("a packet begins with '/' or '#bundle'", byte: packet.byte)
  }
}

private func decodeBundle(_ packet: PacketCursor, depth: Int) throws(OSCError) -> OSCBundle {
  var rest = packet
  guard depth < OSCPacket.maximumDepth else {
    throw .malformed("bundles are nested deeper than \(OSCPacket.maximumDepth)", byte: packet.byte)
  }
  guard packet.begins(with: "#bundle\0") else {
    throw .malformed("a packet that begins with '#' begins with '#bundle'", byte: packet.byte)
  }
  try rest.skip(8, "the name #bundle")
  let tag = OSCTimeTag(rawValue: try rest.takeUInt64("the bundle's time tag"))
  var bundle = OSCBundle(tag, [])
  while rest.count > 0 {
    let start = rest.byte
    let size = Int(clamping: try rest.takeUInt32("the size of an element"))
    guard size <= rest.count else {
      throw .malformed("an element of \(size) bytes is announced and \(rest.count) are left", byte: start)
    }
    bundle.elements.append(try decode(rest.take(size), depth: depth + 1))
  }
  return bundle
}

private func decodeMessage(_ packet: PacketCursor) throws(OSCError) -> OSCMessage {
  try checkMessage(packet)
  let native = try LibloMessage(bytes: packet.bytes, at: packet.byte)
  let address = String(cString: packet.start.assumingMemoryBound(to: CChar.self))
  return OSCMessage(address, native.arguments())
}
