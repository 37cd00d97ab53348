import Synchronization

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
