import MoCore

/// The constant delay from a strike to its sound, measured from block to block.
///
/// A block receives the strikes that arrived since the previous block was rendered. The earliest possible strike among
/// them needs the longest delay until the block's first frame is heard. If every strike has this delay, all strikes
/// keep their spacing. The delay is the output latency plus a block, or plus several blocks if a sound server requests
/// several in one burst.
///
/// A single late wake does not change the delay: a longer delay is used only after it was needed three times.
///
/// - Thread: the thread that renders.
/// - Real-time safe: yes.
package struct StrikeLatency {
  /// The delay from a strike to its sound; 0 before the first block.
  package private(set) var delay = Duration.zero
  private var lastRendered: HostTime?
  /// The shortest delay above `delay` that a block of the present group needed, in nanoseconds; `Int64.max` for none.
  ///
  /// A group has up to `recent` successive blocks.
  private var longer = Int64.max
  /// The number of blocks of the present group that needed a delay above `delay`.
  private var longerCount = 0
  /// The number of blocks in the present group so far.
  private var blocks = 0
  /// The three longest delays that blocks needed since `windowStart`, in nanoseconds, the longest first.
  private var longest = SIMD3<Int64>.zero
  private var windowStart = HostTime.zero

  package init() {}

  /// The number of blocks, in a group of `recent` blocks, that must need a longer delay before the delay becomes
  /// longer.
  private static let often = 3
  /// The largest number of blocks in a group; then a new group begins.
  private static let recent = 64
  /// Seconds for which a shorter delay must be enough before it is used, since each change of the delay shifts strikes.
  private static let window = 5.0
  /// The longest plausible delay, in nanoseconds; a longer delay is ignored as an error in the reported times.
  private static let most: Int64 = 2_000_000_000

  /// Adapts the delay to the times of one more block.
  ///
  /// - Parameters:
  ///   - heard: the time at which the block's first frame is heard.
  ///   - now: the time at which the block is rendered.
  ///   - frames: the number of frames in the block.
  ///   - frameNanoseconds: the duration of a frame, in nanoseconds.
  package mutating func follow(heard: HostTime, now: HostTime, frames: Int, frameNanoseconds: Double) {
    let block = Int64(Double(frames) * frameNanoseconds)
    let isFirst = lastRendered == nil
    let needed = heard.nanoseconds(since: lastRendered ?? now.advanced(byNanoseconds: 0 &- block))
    lastRendered = now
    guard needed > 0, needed < Self.most else { return }
    if isFirst {
      delay = .nanoseconds(needed)
      windowStart = now
    }
    lengthen(needed)
    shorten(needed, now, by: block / 4)
  }

  private mutating func lengthen(_ needed: Int64) {
    if needed > delay.nanoseconds {
      longer = min(longer, needed)
      longerCount &+= 1
      if longerCount == Self.often {
        delay = .nanoseconds(longer)
        blocks = Self.recent
      }
    }
    blocks &+= 1
    if blocks > Self.recent { (longer, longerCount, blocks) = (.max, 0, 0) }
  }

  private mutating func shorten(_ needed: Int64, _ now: HostTime, by least: Int64) {
    if needed > longest.x {
      longest = SIMD3(needed, longest.x, longest.y)
    } else if needed > longest.y {
      longest = SIMD3(longest.x, needed, longest.y)
    } else {
      longest.z = max(longest.z, needed)
    }
    guard now.seconds(since: windowStart) > Self.window else { return }
    if longest.z > 0, delay.nanoseconds &- longest.z > least { delay = .nanoseconds(longest.z) }
    (longest, windowStart) = (.zero, now)
  }
}
