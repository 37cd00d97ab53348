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
  let native = try LibloMessage(bytes: packet.bytes, at: packet.byte)
  let address = String(cString: packet.start.assumingMemoryBound(to: CChar.self))
  return OSCMessage(address, native.arguments())
}
