/// An address and the values sent to it.
public struct OSCMessage: Hashable, Sendable {
  /// The address, such as `/drum/hit`, or a pattern that matches several addresses, such as `/drum/*`.
  public var address: String
  /// The values, in order.
  public var arguments: [OSCArgument]

  /// Creates a message to an address, which must begin with `/`; the address is checked during encoding.
  public init(_ address: String, _ arguments: [OSCArgument] = []) {
    self.address = address
    self.arguments = arguments
  }

  /// The type tags of the values, such as `iff`, without the comma that precedes the tags in the message's bytes.
  public var typeTags: String { String(arguments.map(\.typeTag)) }
}

extension OSCMessage {
  /// Reads a message from its bytes; a bundle is refused.
  ///
  /// - Throws: `OSCError.malformed`.
  public init(bytes: [UInt8]) throws(OSCError) {
    guard case .message(let message) = try OSCPacket(bytes: bytes) else {
      throw .malformed("expected a message, but this is a bundle", byte: 0)
    }
    self = message
  }

  /// Returns the message's bytes, made by liblo.
  ///
  /// - Throws: `OSCError.unsendable`, as `OSCPacket.encoded()`.
  public func encoded() throws(OSCError) -> [UInt8] { try OSCPacket.message(self).encoded() }
}
