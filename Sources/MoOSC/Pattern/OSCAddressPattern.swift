import Glibc

/// An address, or a pattern that matches several addresses.
///
/// OSC 1.0 defines these wildcards, none of which matches a `/`: `?` matches any character, and `*` any number of
/// characters. `[abc]` and `[a-z]` match a listed character, `[!abc]` matches any other character, and `{foo,bar}`
/// matches either word. OSC 1.1 adds `//` for any number of levels: `//hit` matches each address that ends with `/hit`,
/// and `//*` matches every address.
///
/// - Thread: any.
package struct OSCAddressPattern: Hashable, Sendable {
  /// The text of the address or pattern.
  package let text: String
  private let machine: PatternMachine?

  /// The greatest length of a pattern, in bytes; a plain address may be longer.
  package static let longest = 255

  /// Reads an address or a pattern.
  ///
  /// - Throws: `OSCError.unsendable`, which tells what is wrong with the text.
  package init(_ text: String) throws(OSCError) {
    self.text = text
    let bytes = Array(text.utf8)
    guard bytes.first == UInt8(ascii: "/") else {
      throw .unsendable("the address '\(text)' does not begin with '/'")
    }
    machine = try PatternMachine(bytes, text)
  }

  /// Whether the text is a plain address, without wildcards.
  package var isLiteral: Bool { machine == nil }

  /// Returns whether the pattern matches an address.
  package func matches(_ address: String) -> Bool {
    var address = address
    return address.withUTF8 { matches(UnsafeRawBufferPointer($0)) }
  }

  /// Returns whether the pattern matches an address, given by its bytes without the closing zero.
  ///
  /// - Real-time safe: yes; the time grows at most with the pattern's length times the address's length.
  package func matches(_ address: UnsafeRawBufferPointer) -> Bool {
    if let machine { return machine.accepts(address) }
    let utf8 = text.utf8
    guard utf8.count == address.count, let start = address.baseAddress else { return false }
    return utf8.withContiguousStorageIfAvailable { memcmp($0.baseAddress!, start, address.count) == 0 }
      ?? utf8.elementsEqual(address)
  }

  /// Returns whether two patterns have the same text.
  package static func == (left: OSCAddressPattern, right: OSCAddressPattern) -> Bool {
    left.text == right.text
  }

  /// Hashes the text of the pattern.
  package func hash(into hasher: inout Hasher) { hasher.combine(text) }
}
