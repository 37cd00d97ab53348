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

/// A clock that counts rendered frames, for offline rendering.
///
/// It shows the time of the next frame to be rendered, and moves only when the renderer reports finished frames. So a
/// program gives the same output on a fast and on a slow machine. It counts whole frames since the rate was set, so
/// that rounding errors do not add up.
///
/// - Thread: `now` may be read on any thread; all else belongs to the renderer.
package final class FrameClock: TimeSource, @unchecked Sendable {
  // Unchecked: the plain fields belong to the renderer; others see only the atomic moment.
  private let moment: Atomic<Int64>
  private var start: HostTime

  /// The frame rate, in frames per second.
  package private(set) var sampleRate: Double

  /// The number of frames rendered since the rate was set.
  package private(set) var frame: Int64 = 0

  /// Creates a clock at frame 0, whose time is `start`.
  package init(sampleRate: Double, start: HostTime = .zero) {
    precondition(sampleRate > 0, "a sample rate must be above 0 Hz")
    self.sampleRate = sampleRate
    self.start = start
    moment = Atomic(start.nanoseconds)
  }

  /// The time of the next frame to be rendered.
  package var now: HostTime { HostTime(nanoseconds: moment.load(ordering: .acquiring)) }

  /// Returns the time of a frame; its number is counted from the frame at which the rate was set.
  package func time(ofFrame frame: Int64) -> HostTime {
    start.advanced(bySeconds: Double(frame) / sampleRate)
  }

  /// Returns the number of the first frame at or after a time, counted from the frame at which the rate was set.
  package func firstFrame(notBefore time: HostTime) -> Int64 {
    // `time(ofFrame:)` rounds to a nanosecond: the exact answer is this guess or a neighbour of it.
    var frame = Int64((time.seconds(since: start) * sampleRate).rounded(.down)) - 1
    while self.time(ofFrame: frame) < time { frame += 1 }
    return frame
  }

  /// Reports that `count` more frames have been rendered.
  package func advance(frames count: Int) {
    frame += Int64(count)
    moment.store(time(ofFrame: frame).nanoseconds, ordering: .releasing)
  }

  /// Sets another frame rate from the present time on, and counts frames from 0 again.
  package func change(sampleRate: Double) {
    precondition(sampleRate > 0, "a sample rate must be above 0 Hz")
    start = now
    frame = 0
    self.sampleRate = sampleRate
  }

  /// Returns immediately.
  ///
  /// The thread that renders also advances this clock. If that thread waited here, the time would never come.
  package func sleep(until time: HostTime) {}
}
