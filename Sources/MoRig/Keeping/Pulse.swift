import MoCore
import MoRuntime
import Synchronization

/// Counts the seconds on the thread that reads the sensors, so that other threads can check that it runs.
final class Pulse: EventSource, Sendable {
  let name = "pulse"
  let descriptor: Int32? = nil
  private let next: Atomic<Int64>
  private let count = Atomic<Int>(0)
  private let beat: @Sendable () -> Void

  private static let period: Int64 = 1_000_000_000

  /// - Parameter beat: called at each beat.
  init(from start: HostTime, beat: @escaping @Sendable () -> Void) {
    next = Atomic(start.nanoseconds)
    self.beat = beat
  }

  /// The number of beats so far.
  var beats: Int { count.load(ordering: .relaxed) }

  var nextTime: HostTime? { HostTime(nanoseconds: next.load(ordering: .relaxed)) }

  func service(until now: HostTime) {
    guard let due = nextTime, due <= now else { return }
    next.store(now.nanoseconds &+ Pulse.period, ordering: .relaxed)
    count.wrappingAdd(1, ordering: .relaxed)
    beat()
  }
}
