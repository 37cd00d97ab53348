/// The arithmetic of the random number generator SplitMix64: a counter with a constant step, and a mixing of its bits.
@usableFromInline
package enum SplitMix {
  @inlinable package static var step: UInt64 { 0x9E37_79B9_7F4A_7C15 }

  @inlinable
  package static func mix(_ counter: UInt64) -> UInt64 {
    var bits = (counter ^ (counter >> 30)) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
    return bits ^ (bits >> 31)
  }
}
