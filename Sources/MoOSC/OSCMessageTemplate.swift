/// Makes the bytes of messages that are alike: of one address, the same texts and types, and other numbers.
///
/// A sensor says the same a hundred times a second. The first of its messages is made by liblo, with all its checks;
/// in those that are like it only the numbers are written anew, where they stand.
///
/// - Thread: one at a time.
package struct OSCMessageTemplate: Sendable {
  private let address: String
  private let isStamped: Bool
  /// The message whose bytes these are; empty before the first.
  private var arguments: [OSCArgument] = []
  private var bytes: [UInt8] = []
  /// Where the values of the message begin.
  private var start = 0

  /// - Parameter isStamped: whether each message stands in a bundle of its own, with a time tag.
  package init(_ address: String, isStamped: Bool) { (self.address, self.isStamped) = (address, isStamped) }

  /// The bytes of a packet with a message of these values, for as long as `body` runs.
  ///
  /// - Parameter tag: the bundle's, where there is one.
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

  /// Whether a message of these values differs in its numbers only.
  private func fits(_ values: [OSCArgument]) -> Bool {
    guard !bytes.isEmpty, values.count == arguments.count else { return false }
    for index in values.indices {
      switch (values[index], arguments[index]) {
      case (.float, .float), (.int32, .int32), (.double, .double), (.int64, .int64): continue
      // Texts that look the same may have other bytes, and more of them.
      case (.string(let text), .string(let before)), (.symbol(let text), .symbol(let before)):
        if !text.utf8.elementsEqual(before.utf8) { return false }
      default: if values[index] != arguments[index] { return false }
      }
    }
    return true
  }

  /// Makes the bytes anew.
  private mutating func cut(_ values: [OSCArgument], at tag: OSCTimeTag) throws(OSCError) {
    bytes = []
    let message = OSCMessage(address, values)
    let packet: OSCPacket = isStamped ? .bundle(OSCBundle(tag, messages: [message])) : .message(message)
    bytes = try packet.encoded()
    arguments = values
    // They are the end of the packet.
    start = bytes.count - values.reduce(0) { $0 + $1.encodedSize }
  }
}
