import CLiblo

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

  /// Calls `body` with a view of a message that `OSCPacketReader` has checked.
  ///
  /// - Throws: `OSCError` if liblo refuses the bytes or has no memory.
  package static func read(
    _ bytes: UnsafeRawBufferPointer, _ body: (OSCMessageView) -> Void
  ) throws(OSCError) {
    let native = try LibloMessage(bytes: bytes, at: 0)
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
  package var arguments: [OSCArgument] { (0..<count).map { self[$0] } }
}
