import Synchronization

/// A clock that counts rendered frames: the time of offline rendering.
///
/// It stands at the next frame to be rendered and moves only when the renderer says that frames are done, so a
/// program gives the same output however fast the machine is. Kept as a whole number of frames since the rate
/// was set: no rounding gathers.
///
/// - Thread: any reads `now`; all else belongs to the one renderer.
public final class FrameClock: TimeSource, @unchecked Sendable {
  // Unchecked: the plain fields belong to the renderer; others see only the atomic moment.
  private let moment: Atomic<Int64>
  private var start: HostTime

  /// Frames a second.
  public private(set) var sampleRate: Double

  /// Frames rendered since the rate was set.
  public private(set) var frame: Int64 = 0

  /// A clock at frame 0, which is `start`.
  public init(sampleRate: Double, start: HostTime = .zero) {
    precondition(sampleRate > 0, "a sample rate is above 0 Hz")
    self.sampleRate = sampleRate
    self.start = start
    moment = Atomic(start.nanoseconds)
  }

  /// The moment of the next frame to be rendered.
  public var now: HostTime { HostTime(nanoseconds: moment.load(ordering: .acquiring)) }

  /// The moment of a frame, counted from where the rate was set.
  public func time(ofFrame frame: Int64) -> HostTime { start.advanced(bySeconds: Double(frame) / sampleRate) }

  /// The first frame at or after a moment.
  public func firstFrame(notBefore time: HostTime) -> Int64 {
    // `time(ofFrame:)` rounds to a nanosecond: the exact answer is this guess or a neighbour.
    var frame = Int64((time.seconds(since: start) * sampleRate).rounded(.down)) - 1
    while self.time(ofFrame: frame) < time { frame += 1 }
    return frame
  }

  /// Says that `count` more frames have been rendered.
  public func advance(frames count: Int) {
    frame += Int64(count)
    moment.store(time(ofFrame: frame).nanoseconds, ordering: .releasing)
  }

  /// Counts on at another rate from the present moment.
  public func change(sampleRate: Double) {
    precondition(sampleRate > 0, "a sample rate is above 0 Hz")
    start = now
    frame = 0
    self.sampleRate = sampleRate
  }

  /// Returns at once: nobody may wait for a renderer that runs on the waiting thread.
  public func sleep(until time: HostTime) {}
}
