import Glibc

/// An address, or a pattern that stands for several.
///
/// As OSC 1.0 has them: `?` is any one character, `*` any number, `[abc]`, `[a-z]`, `[!abc]` one of those named or
/// none of them, `{foo,bar}` either word; none of them crosses a `/`. As OSC 1.1 adds: `//` is any number of
/// levels, so that `//hit` is every `hit` and `//*` everything.
///
/// - Thread: any.
public struct OSCAddressPattern: Hashable, Sendable {
  /// As it was written.
  public let text: String
  private let machine: PatternMachine?

  /// The longest pattern in bytes; a plain address may be longer.
  public static let longest = 255

  /// Reads an address or a pattern.
  ///
  /// - Throws: `OSCError.unsendable`, which says what is wrong with it.
  public init(_ text: String) throws(OSCError) {
    self.text = text
    let bytes = Array(text.utf8)
    guard bytes.first == UInt8(ascii: "/") else {
      throw .unsendable("the address '\(text)' does not begin with '/'")
    }
    machine = try PatternMachine(bytes, text)
  }

  /// Whether it stands for itself alone.
  public var isLiteral: Bool { machine == nil }

  /// Whether an address is meant.
  public func matches(_ address: String) -> Bool {
    var address = address
    return address.withUTF8 { matches(UnsafeRawBufferPointer($0)) }
  }

  /// Whether an address, given by its bytes without the closing zero, is meant.
  ///
  /// - Real-time safe: yes; its work is bounded by the product of the two lengths.
  public func matches(_ address: UnsafeRawBufferPointer) -> Bool {
    if let machine { return machine.accepts(address) }
    let utf8 = text.utf8
    guard utf8.count == address.count, let start = address.baseAddress else { return false }
    return utf8.withContiguousStorageIfAvailable { memcmp($0.baseAddress!, start, address.count) == 0 }
      ?? utf8.elementsEqual(address)
  }

  /// Two are the same when they are written the same.
  public static func == (left: OSCAddressPattern, right: OSCAddressPattern) -> Bool {
    left.text == right.text
  }

  /// By what is written.
  public func hash(into hasher: inout Hasher) { hasher.combine(text) }
}
