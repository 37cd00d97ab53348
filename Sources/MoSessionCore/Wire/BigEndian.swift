extension [UInt8] {
  /// Appends the lowest `count` bytes of a number, the highest of them first.
  mutating func append(_ number: UInt64, count: Int) {
    for place in (0..<count).reversed() { append(UInt8(truncatingIfNeeded: number >> UInt64(8 * place))) }
  }
}

/// Reads numbers that were appended to bytes.
struct ByteReader {
  private(set) var rest: ArraySlice<UInt8>

  init(_ bytes: [UInt8]) { rest = bytes[...] }

  /// The number in the next `count` bytes; nil if there are fewer.
  mutating func number(_ count: Int) -> UInt64? {
    guard rest.count >= count else { return nil }
    defer { rest = rest.dropFirst(count) }
    return rest.prefix(count).reduce(0) { $0 << 8 | UInt64($1) }
  }
}
