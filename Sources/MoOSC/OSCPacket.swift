/// A message or a bundle: the contents of a UDP datagram, or a packet in a TCP stream.
public enum OSCPacket: Hashable, Sendable {
  /// A message, without a time.
  case message(OSCMessage)
  /// A bundle of elements, with a time.
  case bundle(OSCBundle)

  /// The size of the longest packet, in bytes: liblo's limit.
  ///
  /// A UDP datagram over IPv4 has at most 65,507 bytes.
  public static let maximumSize = 65_535

  /// The deepest allowed nesting of bundles, limited so that hostile bytes cannot exhaust a thread's stack.
  public static let maximumDepth = 16

  /// The size in bytes of an empty bundle: `#bundle` with its closing zero, and the time tag.
  static let bundleHeaderSize = 16

  /// Reads a packet from its bytes, at most `maximumSize` of them.
  ///
  /// - Throws: `OSCError.malformed`, whose text says what is wrong and at which byte. No input makes this call crash.
  /// - Thread: any. Real-time safe: no, it allocates.
  public init(bytes: UnsafeRawBufferPointer) throws(OSCError) { self = try decodePacket(bytes) }

  /// Reads a packet from its bytes, at most `maximumSize` of them.
  ///
  /// - Throws: `OSCError.malformed`, whose text says what is wrong and at which byte. No input makes this call crash.
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

/// A group of messages and further bundles that take effect together at a moment.
public struct OSCBundle: Hashable, Sendable {
  /// The time at which the contents take effect.
  public var timeTag: OSCTimeTag
  /// The contents, in order.
  public var elements: [OSCPacket]

  /// Creates a bundle of messages and bundles, nested at most `OSCPacket.maximumDepth` deep.
  public init(_ timeTag: OSCTimeTag, _ elements: [OSCPacket]) {
    self.timeTag = timeTag
    self.elements = elements
  }

  /// Creates a bundle of messages.
  public init(_ timeTag: OSCTimeTag, messages: [OSCMessage]) {
    self.init(timeTag, messages.map { .message($0) })
  }
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

/// An error: bytes that could not be read as OSC, or values that could not be written as OSC.
public enum OSCError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The bytes are not OSC; the text is the reason, and `byte` is the position (from 0) of the wrong byte.
  case malformed(String, byte: Int)
  /// The values cannot be written as OSC; the text is the reason.
  case unsendable(String)

  /// The error message: what is wrong, and the position of the wrong byte.
  public var description: String {
    switch self {
    case .malformed(let what, let byte): "not OSC at byte \(byte): \(what)"
    case .unsendable(let what): "cannot be sent as OSC: \(what)"
    }
  }

  /// The error for a null pointer that liblo returns if no memory is left.
  static let outOfMemory = OSCError.unsendable("out of memory")
}
