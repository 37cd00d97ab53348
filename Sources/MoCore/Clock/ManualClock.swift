import Synchronization

/// A clock that the program moves: time stops until `advance`, so tests and simulations repeat exactly.
///
/// - Thread: any.
public final class ManualClock: TimeSource {
  private let moment: Atomic<Int64>

  /// Creates a clock that shows `start`.
  public init(_ start: HostTime = .zero) { moment = Atomic(start.nanoseconds) }

  /// The moment to which the clock was last moved.
  public var now: HostTime { HostTime(nanoseconds: moment.load(ordering: .acquiring)) }

  /// Moves the clock forward by a duration.
  ///
  /// A negative duration ends the program with an error, since host time must not run backwards.
  public func advance(by duration: Duration) {
    precondition(duration >= .zero, "host time must not run backwards")
    moment.wrappingAdd(duration.nanoseconds, ordering: .acquiringAndReleasing)
  }

  /// Moves the clock forward to a moment; does nothing if that moment has passed.
  public func advance(to time: HostTime) {
    _ = moment.max(time.nanoseconds, ordering: .acquiringAndReleasing)
  }

  /// Moves the clock forward to `time` and returns immediately, since no other clock moves the time.
  public func sleep(until time: HostTime) { advance(to: time) }
}
