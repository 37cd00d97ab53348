/// A message or a bundle: the contents of a UDP datagram, or a packet in a TCP stream.
public enum OSCPacket: Hashable, Sendable {
  /// A message, without a time.
  case message(OSCMessage)
  /// A bundle of elements, with a time.
  case bundle(OSCBundle)

  /// The size of the longest packet, in bytes: the limit of a UDP datagram, and liblo's own limit.
  public static let maximumSize = 65_535

  /// The deepest allowed nesting of bundles, limited so that hostile bytes cannot exhaust a thread's stack.
  public static let maximumDepth = 16

  /// The size in bytes of an empty bundle: `#bundle` with its closing zero, and the time tag.
  static let bundleHeaderSize = 16

  /// Reads a packet from its bytes, at most `maximumSize` of them.
  ///
  /// - Throws: `OSCError.malformed`, which tells what is wrong and at which byte. No input makes this call crash.
  /// - Thread: any. Real-time safe: no, it allocates.
  public init(bytes: UnsafeRawBufferPointer) throws(OSCError) { self = try decodePacket(bytes) }

  /// Reads a packet from its bytes, at most `maximumSize` of them.
  ///
  /// - Throws: `OSCError.malformed`, which tells what is wrong and at which byte. No input makes this call crash.
  /// - Thread: any. Real-time safe: no, it allocates.
  public init(bytes: [UInt8]) throws(OSCError) {
    self = try bytes.withUnsafeBufferPointer { (bytes) throws(OSCError) in
      try decodePacket(UnsafeRawBufferPointer(bytes))
    }
  }

  /// Returns the packet's bytes, made by liblo.
  ///
  /// - Throws: `OSCError.unsendable` for an address without `/`, a zero byte in text, a packet longer than
  ///   `maximumSize` or bundles nested deeper than `maximumDepth`.
  /// - Thread: any. Real-time safe: no, it allocates.
  public func encoded() throws(OSCError) -> [UInt8] { try encode(self) }
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

extension OSCBundle {
  /// Reads a bundle from its bytes; a lone message is refused.
  ///
  /// - Throws: `OSCError.malformed`.
  public init(bytes: [UInt8]) throws(OSCError) {
    guard case .bundle(let bundle) = try OSCPacket(bytes: bytes) else {
      throw .malformed("expected a bundle, but this is a message", byte: 0)
    }
    self = bundle
  }

  /// Returns the bundle's bytes, made by liblo.
  ///
  /// - Throws: `OSCError.unsendable`, as `OSCPacket.encoded()`.
  public func encoded() throws(OSCError) -> [UInt8] { try OSCPacket.bundle(self).encoded() }
}
