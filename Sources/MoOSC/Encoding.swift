/// The bytes of a packet, made by liblo once everything that liblo does not check has been checked.
func encode(_ packet: OSCPacket) throws(OSCError) -> [UInt8] {
  _ = try checkedSize(of: packet, depth: 0)
  switch packet {
  case .message(let message): return try libloMessage(message).serialise(to: message.address)
  case .bundle(let bundle): return try libloBundle(bundle).serialise()
  }
}

/// The size of a packet in bytes; throws if it cannot be sent.
///
/// Done before liblo sees anything: it counts in 32 bits, and stops text at a zero byte.
private func checkedSize(of packet: OSCPacket, depth: Int) throws(OSCError) -> Int {
  var size = OSCPacket.bundleHeaderSize
  switch packet {
  case .message(let message):
    try check(message)
    size = message.encodedSize
  case .bundle(let bundle):
    guard depth < OSCPacket.maximumDepth else {
      throw .unsendable("bundles are nested deeper than \(OSCPacket.maximumDepth)")
    }
    for element in bundle.elements { size += 4 + (try checkedSize(of: element, depth: depth + 1)) }
  }
  guard size <= OSCPacket.maximumSize else {
    throw .unsendable("\(size) bytes are more than the \(OSCPacket.maximumSize) of a packet")
  }
  return size
}

private func check(_ message: OSCMessage) throws(OSCError) {
  guard message.address.utf8.first == UInt8(ascii: "/") else {
    throw .unsendable("the address '\(message.address)' does not begin with '/'")
  }
  guard !message.address.utf8.contains(0) else {
    throw .unsendable("the address holds a zero byte")
  }
  for (index, argument) in message.arguments.enumerated() {
    if let text = argument.text, text.utf8.contains(0) {
      throw .unsendable("argument \(index + 1) of \(message.address) is text with a zero byte: send a blob")
    }
  }
}

private func libloBundle(_ bundle: OSCBundle) throws(OSCError) -> LibloBundle {
  let native = try LibloBundle(bundle.timeTag)
  for element in bundle.elements {
    switch element {
    case .message(let message): try native.add(libloMessage(message), to: message.address)
    case .bundle(let inner): try native.add(libloBundle(inner))
    }
  }
  return native
}

private func libloMessage(_ message: OSCMessage) throws(OSCError) -> LibloMessage {
  let native = try LibloMessage()
  for argument in message.arguments { try native.add(argument) }
  return native
}
