import Synchronization

/// The source of seeds for noise that was given no seed: random in every run, or a sequence that repeats.
///
/// After `set`, voices that are made in the same order get the same seeds. The option `--seed` works this way.
///
/// - Thread: any.
/// - Real-time safe: `next`, after `set` with a seed; without a seed, `next` may ask the system for random numbers.
package enum SeedSource {
  private static let isSet = Atomic<Bool>(false)
  private static let state = Atomic<UInt64>(0)

  /// Starts the sequence of seeds that belongs to `seed`; nil returns to random seeds.
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
