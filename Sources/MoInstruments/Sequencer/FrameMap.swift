import MoCore
import MoDSP

/// The frame at which a moment sounds, whatever blocks the time is cut into.
///
/// A block's time is rounded to a nanosecond, and its frames' times are counted from there: the same moment could
/// fall on one frame in a long block and on its neighbour in a short one. So frames are counted from one block's time
/// for as long as the times of those that follow agree with it to 3 ns, as they do offline. A sound card's clock is
/// followed block by block.
///
/// - Thread: the audio thread, or whoever owns it.
/// - Real-time safe: yes.
@frozen
public struct FrameMap: Sendable {
  @usableFromInline var time = 0.0
  @usableFromInline var position: Int64 = 0
  @usableFromInline var nanosecondsPerFrame = 0.0

  /// A map that knows no block yet.
  @inlinable
  public init() {}

  /// Takes note of the block that is rendered now.
  @inlinable
  public mutating func follow(_ block: borrowing AudioBlock) {
    let spacing = 1e9 / block.sampleRate
    let expected = time + Double(block.position &- position) * nanosecondsPerFrame
    let actual = Double(block.time.nanoseconds)
    if spacing == nanosecondsPerFrame, abs(actual - expected) <= 3 { return }
    (time, position, nanosecondsPerFrame) = (actual, block.position, spacing)
  }

  /// The first frame of the block, from 0, at or after a moment; below 0 where that has passed, `count` or more where
  /// it is to come.
  ///
  /// A moment up to 2 ns after a frame counts as on it: times are rounded.
  @inlinable
  public func frame(at moment: HostTime, in block: borrowing AudioBlock) -> Int {
    let frames = ((Double(moment.nanoseconds) - time - 2) / nanosecondsPerFrame).rounded(.up)
    return Int(max(-1e9, min(frames - Double(block.position &- position), 1e9)))
  }
}
