import CLiblo
import Glibc

/// A message inside a packet, read by liblo but not converted to Swift values yet.
///
/// A network thread uses this view because it is fast: only the address is read to find a message's callback, and a
/// single access reads a number. The view is valid only within `read`.
///
/// - Thread: the thread that calls `read`.
package struct OSCMessageView {
  private let handle: lo_message
  /// The address's bytes, without the closing zero.
  package let addressBytes: UnsafeRawBufferPointer

  /// Calls `body` with a view of a message whose bytes have been checked, as `OSCPacketReader` does.
  ///
  /// - Parameter byte: the position of the message in its packet, for the error text.
  /// - Throws: `OSCError.malformed` if liblo refuses the bytes or has no memory.
  package static func read(
    _ bytes: UnsafeRawBufferPointer, at byte: Int = 0, _ body: (OSCMessageView) -> Void
  ) throws(OSCError) {
    var result: Int32 = 0
    // liblo only reads this memory, though its prototype does not say so.
    let start = UnsafeMutableRawPointer(mutating: bytes.baseAddress)
    guard let handle = lo_message_deserialise(start, bytes.count, &result) else {
      throw .malformed("liblo refuses this message (its error \(result))", byte: byte)
    }
    let native = LibloMessage(owning: handle)
    let address = OSCPacketReader.address(ofMessage: bytes)
    body(OSCMessageView(handle: native.handle, addressBytes: address))
  }

  /// The number of the message's values.
  package var count: Int { Int(lo_message_get_argc(handle)) }

  /// The types of the message's values, such as `ifs`.
  package var types: String { lo_message_get_types(handle).map { String(cString: $0) } ?? "" }

  /// The value at an index below `count`.
  package subscript(index: Int) -> OSCArgument { LibloMessage.argument(of: handle, at: index) }

  /// The message as Swift values.
  package var message: OSCMessage {
    OSCMessage(String(decoding: addressBytes, as: UTF8.self), arguments)
  }

  /// All values of the message.
  package var arguments: [OSCArgument] {
    var arguments: [OSCArgument] = []
    let count = count
    arguments.reserveCapacity(count)
    while arguments.count < count { arguments.append(self[arguments.count]) }
    return arguments
  }
}

/// A walk through the messages of a packet in place, without conversion to Swift values.
package enum OSCPacketReader {
  /// Checks a whole packet, then visits its messages in order.
  ///
  /// If a part of a packet is not OSC, the whole packet is refused before any message is visited. A message of a bundle
  /// with a type that MoMu does not know is skipped, as OSC 1.0 requires.
  ///
  /// - Parameters:
  ///   - bytes: the packet, at most `OSCPacket.maximumSize` bytes.
  ///   - visit: receives a message's bytes, and the time tag of its innermost bundle; nil if it is in no bundle.
  /// - Returns: the number of skipped messages.
  /// - Throws: `OSCError.malformed`, whose text says what is wrong and at which byte.
  package static func messages(
    of bytes: UnsafeRawBufferPointer, _ visit: (UnsafeRawBufferPointer, OSCTimeTag?) -> Void
  ) throws(OSCError) -> Int {
    guard bytes.count <= OSCPacket.maximumSize else {
      throw .malformed(
        "the packet has \(bytes.count) bytes, but must have at most \(OSCPacket.maximumSize)", byte: 0)
    }
    let packet = PacketCursor(bytes)
    switch try packetKind(packet) {
    case .message:
      try checkMessage(packet)
      visit(packet.bytes, nil)
      return 0
    case .bundle:
      // The first walk checks all messages before the second walk visits any.
      var skipped = 0
      try walk(packet, depth: 0) { message, _ throws(OSCError) in
        if try !checkMessage(message, allowsUnknown: true) { skipped += 1 }
      }
      guard skipped > 0 else {
        try walk(packet, depth: 0) { message, tag in visit(message.bytes, tag) }
        return 0
      }
      try walk(packet, depth: 0) { message, tag throws(OSCError) in
        if try checkMessage(message, allowsUnknown: true) { visit(message.bytes, tag) }
      }
      return skipped
    }
  }

  /// Returns the address of a message that has been checked, without the closing zero.
  package static func address(ofMessage bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
    guard let start = bytes.baseAddress, let end = memchr(start, 0, bytes.count) else { return bytes }
    return UnsafeRawBufferPointer(start: start, count: UnsafeRawPointer(end) - start)
  }

  /// Visits the messages of a bundle, and of the bundles inside it, in order.
  private static func walk(
    _ bundle: PacketCursor, depth: Int, _ visit: (PacketCursor, OSCTimeTag) throws(OSCError) -> Void
  ) throws(OSCError) {
    var elements = try BundleCursor(bundle, depth: depth)
    while let element = try elements.next() {
      switch try packetKind(element) {
      case .message: try visit(element, elements.timeTag)
      case .bundle: try walk(element, depth: depth + 1, visit)
      }
    }
  }
}
