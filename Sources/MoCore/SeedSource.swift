import Synchronization

/// The source of seeds for noise that is created without a seed: random seeds, or the same sequence in each run.
///
/// After `set` with the same seed, voices that are created in the same order get the same seeds in each run. The option
/// `--seed` works this way.
///
/// - Thread: any.
/// - Real-time safe: `next`, after `set` with a seed; without a seed, `next` may ask the system for random numbers.
package enum SeedSource {
  private static let isSet = Atomic<Bool>(false)
  private static let state = Atomic<UInt64>(0)

  /// Selects the sequence of seeds that belongs to `seed`, from its start; with nil, seeds are random.
  package static func set(_ seed: UInt64?) {
    state.store(seed ?? 0, ordering: .relaxed)
    isSet.store(seed != nil, ordering: .releasing)
  }

  /// Returns the next seed.
  package static func next() -> UInt64 {
    guard isSet.load(ordering: .acquiring) else { return UInt64.random(in: .min ... .max) }
    return SplitMix.mix(state.wrappingAdd(SplitMix.step, ordering: .relaxed).newValue)
  }
}

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
