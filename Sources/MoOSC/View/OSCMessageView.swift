import CLiblo

/// A message as it lies in a packet, read by liblo but not yet made into Swift values.
///
/// What a network thread needs: finding a message's callback costs no more than its address, and a number no
/// more than a look. It is valid only within `read`.
///
/// - Thread: the one that reads.
package struct OSCMessageView {
  private let handle: lo_message
  /// The address's bytes, without the closing zero.
  package let addressBytes: UnsafeRawBufferPointer

  /// Reads the bytes of one message that `OSCPacketReader` has passed, for as long as `body` runs.
  ///
  /// - Throws: `OSCError` where liblo refuses the bytes or has no memory.
  package static func read(
    _ bytes: UnsafeRawBufferPointer, _ body: (OSCMessageView) -> Void
  ) throws(OSCError) {
    let native = try LibloMessage(bytes: bytes, at: 0)
    let address = OSCPacketReader.address(ofMessage: bytes)
    body(OSCMessageView(handle: native.handle, addressBytes: address))
  }

  /// How many values it has.
  package var count: Int { Int(lo_message_get_argc(handle)) }

  /// The types of its values, such as `ifs`.
  package var types: String { lo_message_get_types(handle).map { String(cString: $0) } ?? "" }

  /// The value at an index below `count`.
  package subscript(index: Int) -> OSCArgument { LibloMessage.argument(of: handle, at: index) }

  /// All of it as Swift values.
  package var message: OSCMessage {
    OSCMessage(String(decoding: addressBytes, as: UTF8.self), arguments)
  }

  /// All its values.
  package var arguments: [OSCArgument] { (0..<count).map { self[$0] } }
}
