import MoCore

/// The constant delay from a stroke to its sound, measured from block to block.
///
/// A block receives the strokes since the previous block was rendered. The earliest possible stroke among them needs
/// the longest delay until the block's first frame. If every stroke has this delay, all strokes keep their spacing. The
/// delay is the output latency plus a block, or plus several if a sound server requests several in one burst.
///
/// A single late wake does not change the delay: a longer delay is used only after it was needed three times.
///
/// - Thread: the thread that renders.
/// - Real-time safe: yes.
struct StrikeLatency {
  /// The delay from a stroke to its sound.
  private(set) var delay = Duration.zero
  private var lastRendered: HostTime?
  /// The shortest of the recent needed delays that exceeded `delay`, their number, and the number of counted blocks.
  private var longer = Int64.max
  private var longerCount = 0
  private var blocks = 0
  /// The three longest needed delays since `windowStart`, the longest first.
  private var longest = SIMD3<Int64>.zero
  private var windowStart = HostTime.zero

  /// The number of times that a longer delay must be needed before it is used, and the number of blocks that may pass
  /// meanwhile.
  private static let often = 3
  private static let recent = 64
  /// Seconds for which a shorter delay must suffice before it is used: each change shifts strokes.
  private static let window = 5.0
  /// The longest plausible delay, in nanoseconds; a longer one is an error in the time.
  private static let most: Int64 = 2_000_000_000

  /// Processes the times of a block.
  ///
  /// - Parameters:
  ///   - heard: the time at which the block's first frame is heard.
  ///   - now: the time at which the block is rendered.
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
