import MoCore
import MoRuntime
import Synchronization

/// A counter that increases once a second while the thread that reads the sensors runs.
///
/// Other threads use the counter to check that this thread runs.
final class Pulse: EventSource, Sendable {
  let name = "pulse"
  let descriptor: Int32? = nil
  private let next: Atomic<Int64>
  private let count = Atomic<Int>(0)
  private let beat: @Sendable () -> Void

  private static let period: Int64 = 1_000_000_000

  /// - Parameter beat: called each time the counter increases, on the thread that reads the sensors.
  init(from start: HostTime, beat: @escaping @Sendable () -> Void) {
    next = Atomic(start.nanoseconds)
    self.beat = beat
  }

  /// The counter's present value.
  var beats: Int { count.load(ordering: .relaxed) }

  var nextTime: HostTime? { HostTime(nanoseconds: next.load(ordering: .relaxed)) }

  func service(until now: HostTime) {
    guard let due = nextTime, due <= now else { return }
    next.store(now.nanoseconds &+ Pulse.period, ordering: .relaxed)
    count.wrappingAdd(1, ordering: .relaxed)
    beat()
  }
}
