import Synchronization

/// A clock that counts rendered frames: the time of offline rendering.
///
/// It stands at the first frame of the block being rendered and moves only when the renderer says that
/// frames are done, so a program gives the same output however fast the machine is. Kept as a whole number
/// of frames: no rounding gathers.
///
/// - Thread: any reads it; one renderer moves it.
public final class FrameClock: TimeSource {
  private let frames = Atomic<Int64>(0)

  /// Frames a second.
  public let sampleRate: Double

  /// A clock at frame 0, which is `HostTime.zero`.
  public init(sampleRate: Double) {
    precondition(sampleRate > 0, "a sample rate is above 0 Hz")
    self.sampleRate = sampleRate
  }

  /// Frames rendered so far.
  public var frame: Int64 { frames.load(ordering: .acquiring) }

  /// The moment of the next frame to be rendered.
  public var now: HostTime { time(ofFrame: frame) }

  /// The moment of a frame, counted from 0.
  public func time(ofFrame frame: Int64) -> HostTime { HostTime(seconds: Double(frame) / sampleRate) }

  /// The first frame at or after a moment.
  public func firstFrame(notBefore time: HostTime) -> Int64 {
    // `time(ofFrame:)` rounds to a nanosecond: the exact answer is this guess or a neighbour.
    var frame = Int64((time.seconds * sampleRate).rounded(.down)) - 1
    while self.time(ofFrame: frame) < time { frame += 1 }
    return frame
  }

  /// Says that `count` more frames have been rendered.
  public func advance(frames count: Int) {
    frames.wrappingAdd(Int64(count), ordering: .acquiringAndReleasing)
  }

  /// Returns at once: nobody may wait for a renderer that runs on the waiting thread.
  public func sleep(until time: HostTime) {}
}
