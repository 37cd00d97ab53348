import Synchronization

/// Where noise that was given no seed gets one: random for every run, or a sequence that repeats.
///
/// After `set`, voices made in the same order have the same seeds: that is what `--seed` does.
///
/// - Thread: any.
/// - Real-time safe: `next` is once `set` was called; otherwise it may ask the system for randomness.
public enum SeedSource {
  private static let isSet = Atomic<Bool>(false)
  private static let state = Atomic<UInt64>(0)

  /// Starts the sequence of seeds that belongs to `seed`; nil goes back to random ones.
  public static func set(_ seed: UInt64?) {
    state.store(seed ?? 0, ordering: .relaxed)
    isSet.store(seed != nil, ordering: .releasing)
  }

  /// The next seed.
  public static func next() -> UInt64 {
    guard isSet.load(ordering: .acquiring) else { return UInt64.random(in: .min ... .max) }
    return SplitMix.mix(state.wrappingAdd(SplitMix.step, ordering: .relaxed).newValue)
  }
}
