import MoCore
import Synchronization

/// How often callbacks are called at most.
///
/// - Thread: `interval` any; `isDue` one at a time.
package final class CallbackRate: Sendable {
  /// Shortest and longest interval but 0, in seconds; MoMu's own.
  static let intervals = 0.01...1.0

  private let length = Atomic<Int64>(0)
  private let delivered = Atomic<Int64>(.min)

  package init() {}

  /// Seconds between two calls at least; 0 for every reading.
  package var interval: Double {
    get { Double(length.load(ordering: .relaxed)) * 1e-9 }
    set {
      let seconds =
        newValue > 0 ? min(max(newValue, Self.intervals.lowerBound), Self.intervals.upperBound) : 0
      length.store(Int64(seconds * 1e9), ordering: .relaxed)
    }
  }

  /// Whether a reading made at `time` is to be passed on, which then counts as done; an urgent one always is.
  package func isDue(at time: HostTime, isUrgent: Bool = false) -> Bool {
    // With no interval all are passed on, even one whose source found it late.
    let isUrgent = isUrgent || length.load(ordering: .relaxed) == 0
    let last = delivered.load(ordering: .relaxed)
    // A percent of tolerance keeps an even stream from skipping every other one.
    let due = last == .min ? .min : last &+ length.load(ordering: .relaxed) / 100 * 99
    guard isUrgent || time.nanoseconds >= due else { return false }
    delivered.store(time.nanoseconds, ordering: .relaxed)
    return true
  }

  /// The next reading is passed on, whenever the last was.
  package func reset() { delivered.store(.min, ordering: .relaxed) }
}
