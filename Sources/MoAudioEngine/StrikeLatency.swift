import MoCore

/// The constant time from a stroke to its sound, measured from block to block.
///
/// A block takes the strokes that came since the block before was rendered. The earliest of them can be heard with the
/// block's first frame. If every stroke is heard as long after it was played as that stroke, all keep their spacing. That is
/// the output latency and a block; if a sound server asks for several blocks at once, it is the latency and those.
///
/// A thread that is late now and then does not change it: a delay must have been needed three times.
///
/// - Thread: the one that renders.
/// - Real-time safe: yes.
struct StrikeLatency {
  /// From a stroke to its sound.
  private(set) var delay = Duration.zero
  private var lastRendered: HostTime?
  /// The least of the longer delays that were needed, how many were, and in how many blocks.
  private var longer = Int64.max
  private var longerCount = 0
  private var blocks = 0
  /// The three longest delays that were needed since `windowStart`, the longest first.
  private var longest = SIMD3<Int64>.zero
  private var windowStart = HostTime.zero

  /// How often a longer delay is needed before it is taken, and in how many blocks.
  private static let often = 3
  private static let recent = 64
  /// How long a shorter delay must have been enough before it is taken: each change moves strokes against each other.
  private static let window = 5.0
  /// What needs more is no output, but a mistake in its time.
  private static let most: Int64 = 2_000_000_000

  /// Takes note of a block.
  ///
  /// - Parameters:
  ///   - heard: when its first frame reaches the ear.
  ///   - now: when it is rendered.
  ///   - frameNanoseconds: the length of a frame.
  mutating func follow(heard: HostTime, now: HostTime, frames: Int, frameNanoseconds: Double) {
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
