import Synchronization

/// A clock moved by hand: time stands still until `advance`, so tests and simulations repeat exactly.
///
/// - Thread: any.
public final class ManualClock: TimeSource {
  private let moment: Atomic<Int64>

  /// A clock that stands at `start`.
  public init(_ start: HostTime = .zero) { moment = Atomic(start.nanoseconds) }

  /// The moment it was last moved to.
  public var now: HostTime { HostTime(nanoseconds: moment.load(ordering: .acquiring)) }

  /// Moves on by a duration; a negative one is refused, since host time never runs back.
  public func advance(by duration: Duration) {
    precondition(duration >= .zero, "host time never runs back")
    moment.wrappingAdd(duration.nanoseconds, ordering: .acquiringAndReleasing)
  }

  /// Moves on to a moment; stays where it is if that has passed.
  public func advance(to time: HostTime) {
    _ = moment.max(time.nanoseconds, ordering: .acquiringAndReleasing)
  }

  /// Moves on to `time` itself: whoever sleeps on a manual clock is the one who moves it.
  public func sleep(until time: HostTime) { advance(to: time) }
}
