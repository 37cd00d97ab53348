/// Random numbers for tests: the same on every run and machine.
///
/// - Source: G. Marsaglia, *Xorshift RNGs*, Journal of Statistical Software 8 (2003).
public struct TestRandom: RandomNumberGenerator {
  private var state: UInt64

  /// Creates a generator; all seeds below 10¹⁸ give different sequences.
  public init(seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 | 1 }

  /// Returns the next 64 bits.
  public mutating func next() -> UInt64 {
    state ^= state << 13
    state ^= state >> 7
    state ^= state << 17
    return state
  }

  /// Returns a uniformly distributed number in 0 ..< 1.
  public mutating func uniform() -> Double { Double(next() >> 11) * 0x1p-53 }
}
