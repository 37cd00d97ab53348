import MoCore

/// White noise: even over −1 … 1, mean 0, and every frequency equally strong.
///
/// Two generators with one seed give the same samples on every machine.
///
/// - Source: SplitMix64; G. L. Steele, D. Lea, C. H. Flood, *Fast splittable pseudorandom number generators*,
///   OOPSLA (2014).
/// - Thread: one owner; the audio thread once playing.
/// - Real-time safe: `tick` and `bits`, yes.
@frozen
public struct Noise: Sendable {
  @usableFromInline var state: UInt64

  /// A generator that starts from `seed`, or from the next of `SeedSource` where there is none.
  public init(seed: UInt64? = nil) { state = seed ?? SeedSource.next() }

  /// The next sample, −1 … 1; its root mean square is 0.577.
  @inlinable
  public mutating func tick() -> Float { Noise.sample(of: bits()) }

  /// The next 64 random bits.
  @inlinable
  public mutating func bits() -> UInt64 {
    state &+= SplitMix.step
    return SplitMix.mix(state)
  }

  /// The upper half of some random bits as a sample; the lower half is free for another use.
  @inlinable
  static func sample(of bits: UInt64) -> Float { Float(Int32(truncatingIfNeeded: bits >> 32)) * 0x1p-31 }

  /// The lower half of some random bits as a number 0 … 1.
  @inlinable
  static func chance(of bits: UInt64) -> Float { Float(UInt32(truncatingIfNeeded: bits)) * 0x1p-32 }
}
