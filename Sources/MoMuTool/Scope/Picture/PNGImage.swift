/// Writes a picture of few colours as a PNG file.
///
/// - Source: the PNG specification (W3C, 2003): colour type 3, a palette index for each pixel.
enum PNGImage {
  /// - Parameters:
  ///   - pixels: the colour number of each pixel, row by row.
  ///   - palette: the red, green and blue of each colour, 8 bits each.
  static func file(width: Int, height: Int, pixels: [UInt8], palette: [UInt32]) -> [UInt8] {
    var header = FixedDeflate.bigEndian(UInt32(width)) + FixedDeflate.bigEndian(UInt32(height))
    // Eight bits per pixel, with palette; deflate, no filters, not interlaced.
    header += [8, 3, 0, 0, 0]
    var rows: [UInt8] = []
    rows.reserveCapacity((width + 1) * height)
    for row in 0..<height {
      rows.append(0)
      rows += pixels[(row * width)..<((row + 1) * width)]
    }
    let colours = palette.flatMap { FixedDeflate.bigEndian($0)[1...] }
    return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + chunk("IHDR", header) + chunk("PLTE", colours)
      + chunk("IDAT", FixedDeflate.compress(rows, row: width + 1)) + chunk("IEND", [])
  }

  private static func chunk(_ name: String, _ data: [UInt8]) -> [UInt8] {
    let body = Array(name.utf8) + data
    return FixedDeflate.bigEndian(UInt32(data.count)) + body + FixedDeflate.bigEndian(checksum(body))
  }

  /// Returns the CRC-32 of annex D of the specification.
  private static func checksum(_ bytes: [UInt8]) -> UInt32 {
    var sum = UInt32.max
    for byte in bytes {
      sum ^= UInt32(byte)
      for _ in 0..<8 { sum = sum & 1 == 1 ? 0xEDB8_8320 ^ (sum >> 1) : sum >> 1 }
    }
    return ~sum
  }
}
