import Glibc

/// A cursor in a packet's bytes; it also knows its distance from the packet's start, for the error texts.
///
/// The cursor never reads past the end of the bytes, whatever the bytes contain. Debug builds do not optimise this
/// module, so the loops over bytes are `while` loops: generic collection calls take most of a decoder's time there.
struct PacketCursor {
  /// The bytes from the cursor to the end.
  private(set) var bytes: UnsafeRawBufferPointer
  /// The position of the cursor in the whole packet, in bytes from the start.
  private(set) var byte: Int

  init(_ bytes: UnsafeRawBufferPointer) {
    self.bytes = bytes
    byte = 0
  }

  private init(_ bytes: UnsafeRawBufferPointer, at byte: Int) {
    self.bytes = bytes
    self.byte = byte
  }

  /// The number of bytes from the cursor to the end.
  var count: Int { bytes.count }

  /// The next byte, which stays unread; 0 at the end.
  var peek: UInt8 { count > 0 ? bytes[0] : 0 }

  /// The memory address of the next byte; read it only if `count` is above 0.
  var start: UnsafeRawPointer {
    guard let start = bytes.baseAddress else { preconditionFailure("an empty cursor has no bytes") }
    return start
  }

  func begins(with text: StaticString) -> Bool {
    count >= text.utf8CodeUnitCount && memcmp(start, text.utf8Start, text.utf8CodeUnitCount) == 0
  }

  /// Cuts off the next `size` bytes, which must exist, and returns a cursor for them.
  mutating func consume(_ size: Int) -> PacketCursor {
    guard let start = bytes.baseAddress, size <= count else {
      precondition(size == 0, "the bytes end earlier")
      return self
    }
    bytes = UnsafeRawBufferPointer(start: start + size, count: count - size)
    defer { byte += size }
    return PacketCursor(UnsafeRawBufferPointer(start: start, count: size), at: byte)
  }

  mutating func skip(_ size: Int, _ what: @autoclosure () -> String) throws(OSCError) {
    guard size <= count else {
      throw .malformed("\(what()) needs \(size) bytes, but only \(count) are left", byte: byte)
    }
    _ = consume(size)
  }

  mutating func takeUInt32(_ what: @autoclosure () -> String) throws(OSCError) -> UInt32 {
    let value = bytes
    try skip(4, what())
    return UInt32(bigEndian: value.loadUnaligned(as: UInt32.self))
  }

  mutating func takeUInt64(_ what: @autoclosure () -> String) throws(OSCError) -> UInt64 {
    let value = bytes
    try skip(8, what())
    return UInt64(bigEndian: value.loadUnaligned(as: UInt64.self))
  }

  /// Skips a string with its closing zero and its padding; returns the bytes before the closing zero.
  ///
  /// - Parameter what: the description of the string, for the error text.
  mutating func takeString(_ what: @autoclosure () -> String) throws(OSCError) -> UnsafeRawBufferPointer {
    guard count > 0, let end = memchr(start, 0, count) else {
      throw .malformed("\(what()) does not end within the packet", byte: byte)
    }
    let length = UnsafeRawPointer(end) - start
    let text = UnsafeRawBufferPointer(start: start, count: length)
    let size = OSCArgument.stringSize(length)
    try skipPadded(length, to: size, what())
    return text
  }

  /// Skips `length` bytes and the zeros that pad them to `size` bytes; throws if a byte of the padding is not zero.
  mutating func skipPadded(_ length: Int, to size: Int, _ what: @autoclosure () -> String) throws(OSCError) {
    guard size <= count else {
      throw .malformed("\(what()) needs \(size) bytes, but only \(count) are left", byte: byte)
    }
    var index = length
    while index < size {
      if bytes[index] != 0 { throw .malformed("\(what()) is not padded with zeros", byte: byte + index) }
      index += 1
    }
    _ = consume(size)
  }
}
