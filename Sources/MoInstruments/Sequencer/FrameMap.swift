import MoCore
import MoDSP

/// A map from times to frames, with the same result for long and for short blocks.
///
/// The time of a block is rounded to a nanosecond, and the times of its frames are counted from this time. So
/// the same time could fall on different frames in a long and in a short block. To avoid this, the map counts
/// frames from the time of the first block, for as long as the times of later blocks agree with this count to
/// 3 ns. Offline, these times always agree. If they do not agree, as with the clock of a sound card, the map
/// counts from the new block.
///
/// - Thread: the audio thread, or another single owner.
/// - Real-time safe: yes.
@frozen
public struct FrameMap: Sendable {
  @usableFromInline var time = 0.0
  @usableFromInline var position: Int64 = 0
  @usableFromInline var nanosecondsPerFrame = 0.0

  /// Creates a map that has no block yet.
  @inlinable
  public init() {}

  /// Updates the map with the block that is being rendered.
  @inlinable
  public mutating func follow(_ block: borrowing AudioBlock) {
    let spacing = 1e9 / block.sampleRate
    let expected = time + Double(block.position &- position) * nanosecondsPerFrame
    let actual = Double(block.time.nanoseconds)
    if spacing == nanosecondsPerFrame, abs(actual - expected) <= 3 { return }
    (time, position, nanosecondsPerFrame) = (actual, block.position, spacing)
  }

  /// Returns the first frame of the block, from 0, at or after a time.
  ///
  /// If the time is before the block, the result is below 0. If the time is after the block, the result is the
  /// number of the block's frames, or more. A time up to 2 ns after a frame counts as the time of that frame,
  /// because times are rounded.
  @inlinable
  public func frame(at moment: HostTime, in block: borrowing AudioBlock) -> Int {
    let frames = ((Double(moment.nanoseconds) - time - 2) / nanosecondsPerFrame).rounded(.up)
    return Int(max(-1e9, min(frames - Double(block.position &- position), 1e9)))
  }
}
