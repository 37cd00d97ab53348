import MoCore

/// White noise: uniform in −1 … 1, with mean 0 and the same power at every frequency.
///
/// Two generators with the same seed give the same samples on every machine.
///
/// - Source: SplitMix64; G. L. Steele, D. Lea, C. H. Flood, *Fast splittable pseudorandom number generators*,
///   OOPSLA (2014).
/// - Thread: one owner; the audio thread during play.
/// - Real-time safe: `tick` and `bits`, yes.
@frozen
public struct Noise: Sendable {
  @usableFromInline var state: UInt64

  /// Creates a generator from a seed; nil takes the next seed of `SeedSource`.
  public init(seed: UInt64? = nil) { state = seed ?? SeedSource.next() }

  /// Returns the next sample, −1 … 1; the root mean square is 0.577.
  @inlinable
  public mutating func tick() -> Float { Noise.sample(of: bits()) }

  /// Returns the next 64 random bits.
  @inlinable
  public mutating func bits() -> UInt64 {
    state &+= SplitMix.step
    return SplitMix.mix(state)
  }

  /// Converts the upper 32 of 64 random bits to a sample, −1 … 1; the lower 32 bits remain for `chance`.
  @inlinable
  static func sample(of bits: UInt64) -> Float { Float(Int32(truncatingIfNeeded: bits >> 32)) * 0x1p-31 }

  /// Converts the lower 32 of 64 random bits to a number, 0 … 1.
  @inlinable
  static func chance(of bits: UInt64) -> Float { Float(UInt32(truncatingIfNeeded: bits)) * 0x1p-32 }
}
