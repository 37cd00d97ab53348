import MoCore
import Synchronization

/// The limit on the rate of callbacks.
///
/// - Thread: `interval` on any thread; `isDue` on any thread, but one call at a time.
package final class CallbackRate: Sendable {
  /// The shortest and the longest interval except 0, in seconds, as in the original MoMu.
  static let intervals = 0.01...1.0

  private let length = Atomic<Int64>(0)
  private let delivered = Atomic<Int64>(.min)

  package init() {}

  /// The shortest time between two calls of a callback, in seconds; 0 means a call for every reading.
  package var interval: Double {
    get { Double(length.load(ordering: .relaxed)) * 1e-9 }
    set {
      let seconds =
        newValue > 0 ? min(max(newValue, Self.intervals.lowerBound), Self.intervals.upperBound) : 0
      length.store(Int64(seconds * 1e9), ordering: .relaxed)
    }
  }

  /// Returns whether a reading with the time `time` must be passed to the callbacks, and if so, stores this time.
  ///
  /// An urgent reading is always passed on.
  package func isDue(at time: HostTime, isUrgent: Bool = false) -> Bool {
    // Without an interval all are passed on, even one that its source delivered late.
    let isUrgent = isUrgent || length.load(ordering: .relaxed) == 0
    let last = delivered.load(ordering: .relaxed)
    // A tolerance of 1 % keeps an even stream from losing every other reading.
    let due = last == .min ? .min : last &+ length.load(ordering: .relaxed) / 100 * 99
    guard isUrgent || time.nanoseconds >= due else { return false }
    delivered.store(time.nanoseconds, ordering: .relaxed)
    return true
  }

  /// Makes the next reading due, regardless of the time of the last reading.
  package func reset() { delivered.store(.min, ordering: .relaxed) }
}
