/// A template for messages that have the same address, types and texts, and differ only in their numbers.
///
/// Such messages come from a sensor, for example, a hundred times a second. liblo encodes the first message, with all
/// checks. For each later message, only the numbers in the encoded bytes are overwritten.
///
/// - Thread: any, but one at a time.
package struct OSCMessageTemplate: Sendable {
  private let address: String
  private let isStamped: Bool
  /// The values of the message in `bytes`; empty before the first message.
  private var arguments: [OSCArgument] = []
  private var bytes: [UInt8] = []
  /// The index in `bytes` at which the message's values begin.
  private var start = 0

  /// Creates a template for messages to an address.
  ///
  /// - Parameter isStamped: whether each message is in its own bundle, with a time tag.
  package init(_ address: String, isStamped: Bool) { (self.address, self.isStamped) = (address, isStamped) }

  /// Calls `body` with the bytes of a packet that contains a message with these values.
  ///
  /// - Parameter tag: the time tag of the bundle; unused if `isStamped` is false.
  /// - Throws: `OSCError.unsendable`.
  package mutating func withEncoded(
    _ values: [OSCArgument], at tag: @autoclosure () -> OSCTimeTag, _ body: (UnsafeRawBufferPointer) -> Void
  ) throws(OSCError) {
    if !fits(values) { try cut(values, at: tag()) }
    let (start, isStamped) = (start, isStamped)
    bytes.withUnsafeMutableBytes { bytes in
      if isStamped { bytes.storeBytes(of: tag().rawValue.bigEndian, toByteOffset: 8, as: UInt64.self) }
      var place = start
      for value in values {
        switch value {
        case .float(let number):
          bytes.storeBytes(of: number.bitPattern.bigEndian, toByteOffset: place, as: UInt32.self)
        case .int32(let number): bytes.storeBytes(of: number.bigEndian, toByteOffset: place, as: Int32.self)
        case .double(let number):
          bytes.storeBytes(of: number.bitPattern.bigEndian, toByteOffset: place, as: UInt64.self)
        case .int64(let number): bytes.storeBytes(of: number.bigEndian, toByteOffset: place, as: Int64.self)
        default: break
        }
        place += value.encodedSize
      }
      body(UnsafeRawBufferPointer(bytes))
    }
  }

  /// Returns whether a message with these values differs from the last encoded message only in numbers.
  private func fits(_ values: [OSCArgument]) -> Bool {
    guard !bytes.isEmpty, values.count == arguments.count else { return false }
    for index in values.indices {
      switch (values[index], arguments[index]) {
      case (.float, .float), (.int32, .int32), (.double, .double), (.int64, .int64): continue
      // Texts that are equal may have different bytes, and a different number of them.
      case (.string(let text), .string(let before)), (.symbol(let text), .symbol(let before)):
        if !text.utf8.elementsEqual(before.utf8) { return false }
      default: if values[index] != arguments[index] { return false }
      }
    }
    return true
  }

  /// Encodes a message with these values completely, with all checks, and stores the bytes for later messages.
  private mutating func cut(_ values: [OSCArgument], at tag: OSCTimeTag) throws(OSCError) {
    bytes = []
    let message = OSCMessage(address, values)
    let packet: OSCPacket = isStamped ? .bundle(OSCBundle(tag, messages: [message])) : .message(message)
    bytes = try packet.encoded()
    arguments = values
    // The values are at the end of the packet.
    start = bytes.count - values.reduce(0) { $0 + $1.encodedSize }
  }
}
