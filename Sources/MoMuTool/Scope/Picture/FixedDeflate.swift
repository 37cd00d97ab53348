/// Compresses pictures in the zlib format: it finds runs, and rows equal to the row above.
///
/// - Source: RFC 1950 (zlib), RFC 1951 (deflate, 3.2.6: the fixed Huffman codes).
struct FixedDeflate {
  private var out: [UInt8] = [0x78, 0x01]
  private var bits: UInt64 = 0
  private var count = 0

  /// - Parameter row: bytes per row.
  static func compress(_ bytes: [UInt8], row: Int) -> [UInt8] {
    var deflate = FixedDeflate()
    // A single and last block, with fixed codes.
    deflate.put(1, 1)
    deflate.put(1, 2)
    var place = 0
    while place < bytes.count {
      let run = match(bytes, place, back: 1)
      let above = match(bytes, place, back: row)
      if max(run, above) >= 3 {
        deflate.put(length: max(run, above), back: above > run ? row : 1)
        place += max(run, above)
      } else {
        deflate.put(symbol: Int(bytes[place]))
        place += 1
      }
    }
    deflate.put(symbol: 256)
    if deflate.count > 0 { deflate.put(0, 8 - deflate.count) }
    return deflate.out + bigEndian(adler(bytes))
  }

  static func bigEndian(_ number: UInt32) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> UInt32($0)) }
  }

  /// Returns how many bytes from `place` on repeat those `back` bytes before; at most 258, the longest code.
  private static func match(_ bytes: [UInt8], _ place: Int, back: Int) -> Int {
    guard back > 0, back <= 32_768, place >= back else { return 0 }
    let most = min(258, bytes.count - place)
    var length = 0
    while length < most, bytes[place + length] == bytes[place + length - back] { length += 1 }
    return length
  }

  private static func adler(_ bytes: [UInt8]) -> UInt32 {
    var (low, high): (UInt32, UInt32) = (1, 0)
    for byte in bytes {
      low = (low + UInt32(byte)) % 65_521
      high = (high + low) % 65_521
    }
    return high << 16 | low
  }

  /// Writes a number, lowest bit first.
  private mutating func put(_ value: Int, _ width: Int) {
    bits |= UInt64(value) << UInt64(count)
    count += width
    while count >= 8 {
      out.append(UInt8(truncatingIfNeeded: bits))
      bits >>= 8
      count -= 8
    }
  }

  /// Writes a code, highest bit first.
  private mutating func put(code: Int, _ width: Int) {
    for bit in stride(from: width - 1, through: 0, by: -1) { put(code >> bit & 1, 1) }
  }

  private mutating func put(symbol: Int) {
    switch symbol {
    case ..<144: put(code: 0x30 + symbol, 8)
    case ..<256: put(code: 0x190 + symbol - 144, 9)
    case ..<280: put(code: symbol - 256, 7)
    default: put(code: 0xC0 + symbol - 280, 8)
    }
  }

  private mutating func put(length: Int, back: Int) {
    if length == 258 {
      put(symbol: 285)
    } else {
      // From length 11 on, each group of four codes has one more extra bit than the group before.
      let (code, base, extra) = Self.code(length - 3, first: 8, group: 4)
      put(symbol: 257 + code)
      put(length - 3 - base, extra)
    }
    let (code, base, extra) = Self.code(back - 1, first: 4, group: 2)
    put(code: code, 5)
    put(back - 1 - base, extra)
  }

  /// Returns the code of a number.
  ///
  /// The first numbers have their own codes. After that, each group of codes has one more extra bit.
  private static func code(_ number: Int, first: Int, group: Int) -> (code: Int, base: Int, extra: Int) {
    if number < first { return (number, number, 0) }
    var (code, base, extra) = (first, first, 1)
    while true {
      for _ in 0..<group {
        if number < base + (1 << extra) { return (code, base, extra) }
        base += 1 << extra
        code += 1
      }
      extra += 1
    }
  }
}
