/// Converts hexadecimal digits to bytes; spaces are skipped.
func hex(_ text: String) -> [UInt8] {
  let digits = text.filter { !$0.isWhitespace }
  return stride(from: 0, to: digits.count, by: 2).compactMap { place in
    UInt8(String(digits.dropFirst(place).prefix(2)), radix: 16)
  }
}

/// Repeatable random numbers (SplitMix64 by Steele, Lea and Flood, 2014).
struct SplitMix64: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = (state ^ state >> 30) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
    return mixed ^ mixed >> 31
  }
}
