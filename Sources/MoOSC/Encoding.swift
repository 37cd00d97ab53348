import Glibc

/// Encodes a packet with liblo, after all checks that liblo itself does not make.
///
/// - Throws: `OSCError.unsendable`.
func encode(_ packet: OSCPacket) throws(OSCError) -> [UInt8] {
  _ = try checkedSize(of: packet, depth: 0)
  switch packet {
  case .message(let message):
    var bytes: [UInt8] = []
    try libloMessage(message).serialise(to: message.address) { bytes += $0 }
    return bytes
  case .bundle(let bundle): return try libloBundle(bundle).serialise()
  }
}

extension OSCPacket {
  /// Calls `body` with the packet's encoded bytes; for a message, no array is allocated.
  ///
  /// - Throws: `OSCError.unsendable`.
  package func withEncoded(_ body: (UnsafeRawBufferPointer) -> Void) throws(OSCError) {
    guard case .message(let message) = self else { return try encode(self).withUnsafeBytes(body) }
    _ = try checkedSize(message.address, message.arguments)
    try libloMessage(message).serialise(to: message.address, body)
  }
}

extension OSCMessage {
  /// Appends the encoded bytes of a message to `bytes`; no `OSCMessage` is needed.
  ///
  /// - Throws: `OSCError.unsendable`; in this case, nothing has been appended.
  /// - Real-time safe: no, it allocates.
  package static func append(
    _ address: String, _ arguments: [OSCArgument], to bytes: inout [UInt8]
  ) throws(OSCError) {
    _ = try checkedSize(address, arguments)
    let native = try LibloMessage()
    for argument in arguments { try native.add(argument) }
    native.serialise(to: address) { bytes += $0 }
  }
}

/// Returns the size of a message in bytes; throws if the message cannot be encoded as OSC.
private func checkedSize(
  _ address: String, _ arguments: [OSCArgument]
) throws(OSCError) -> Int {
  let (first, count, hasZero) = look(at: address)
  guard first == UInt8(ascii: "/") else {
    throw .unsendable("the address '\(address)' does not begin with '/'")
  }
  guard !hasZero else { throw .unsendable("the address contains a zero byte") }
  var size = OSCArgument.stringSize(count) + OSCArgument.stringSize(arguments.count + 1)
  var index = 0
  for argument in arguments {
    index += 1
    if let text = argument.text, look(at: text).hasZero {
      throw .unsendable("argument \(index) of \(address) is text with a zero byte: send a blob")
    }
    size += argument.encodedSize
  }
  return try checked(size)
}

private func look(at text: String) -> (first: UInt8?, count: Int, hasZero: Bool) {
  var text = text
  return text.withUTF8 { bytes in
    (bytes.first, bytes.count, bytes.baseAddress.map { memchr($0, 0, bytes.count) != nil } ?? false)
  }
}

private func checked(_ size: Int) throws(OSCError) -> Int {
  guard size <= OSCPacket.maximumSize else {
    throw .unsendable(
      "the packet has \(size) bytes, but must have at most \(OSCPacket.maximumSize): send it in parts")
  }
  return size
}

/// Returns the size of a packet in bytes; throws if the packet cannot be encoded as OSC.
///
/// This check must run before liblo encodes the packet, because liblo counts bytes in 32 bits and cuts text at a zero
/// byte.
///
/// - Parameter depth: the number of bundles that enclose the packet.
private func checkedSize(of packet: OSCPacket, depth: Int) throws(OSCError) -> Int {
  switch packet {
  case .message(let message): return try checkedSize(message.address, message.arguments)
  case .bundle(let bundle):
    guard depth < OSCPacket.maximumDepth else {
      throw .unsendable("bundles are nested deeper than \(OSCPacket.maximumDepth)")
    }
    var size = OSCPacket.bundleHeaderSize
    for element in bundle.elements { size += 4 + (try checkedSize(of: element, depth: depth + 1)) }
    return try checked(size)
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
