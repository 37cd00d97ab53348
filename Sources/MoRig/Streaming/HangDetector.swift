import MoCore
import MoRuntime
import Synchronization

/// A detector of a thread that hangs; the time for which the machine was suspended is not counted.
package struct HangDetector: Sendable {
  private let timeout: Double
  private var beats = -1
  private var silence = 0.0
  private var looked: HostTime?

  /// The largest part of the time between two polls that is counted as time without progress, in seconds.
  ///
  /// If more than 2 s have passed since the last poll, only 2 s are counted: the whole program may have been stopped,
  /// although the thread does not hang.
  private static let most = 2.0

  /// - Parameter timeout: the seconds without progress after which a thread counts as hung.
  package init(timeout: Double = 30) { self.timeout = timeout }

  /// Returns whether the thread hangs; call it regularly, as a poll.
  ///
  /// - Parameter now: the thread's `Pulse.beats`, which increases once a second while the thread runs.
  package mutating func hangs(beats now: Int, at time: HostTime) -> Bool {
    defer { looked = time }
    guard now == beats, let looked else {
      (beats, silence) = (now, 0)
      return false
    }
    silence += min(HangDetector.most, time.seconds(since: looked))
    return silence >= timeout
  }
}

/// A counter that increases once a second while the thread that reads the sensors runs.
///
/// Other threads use the counter to check that this thread runs.
final class Pulse: EventTimer, Sendable {
  let name = "pulse"
  private let next: Atomic<Int64>
  private let count = Atomic<Int>(0)

  private static let period: Int64 = 1_000_000_000

  init(from start: HostTime) { next = Atomic(start.nanoseconds) }

  /// The counter's present value.
  var beats: Int { count.load(ordering: .relaxed) }

  var nextTime: HostTime? { HostTime(nanoseconds: next.load(ordering: .relaxed)) }

  func service(until now: HostTime) {
    guard isDue(at: now) else { return }
    next.store(now.nanoseconds &+ Pulse.period, ordering: .relaxed)
    count.wrappingAdd(1, ordering: .relaxed)
  }
}
