import MoDSP
import MoTime
import Synchronization

/// The latest motion, whole, for anybody who looks: a reader never waits and never sees half of one.
///
/// A sequence lock: the count is odd while the words change, and a reader that saw it change reads again.
///
/// - Source: H.-J. Boehm, *Can Seqlocks Get Along with Programming Language Memory Models?*, MSPC 2012.
/// - Thread: one writer at a time, any readers.
/// - Real-time safe: yes.
final class LatestMotion: Sendable {
  private let count = Atomic<UInt64>(0)
  private let time = Atomic<Int64>(0)
  private let first = Atomic<UInt64>(0)
  private let second = Atomic<UInt64>(0)
  private let third = Atomic<UInt64>(0)
  private let fourth = Atomic<UInt64>(0)

  init() { store(.still) }

  func store(_ motion: Motion) {
    let before = count.load(ordering: .relaxed)
    count.store(before &+ 1, ordering: .relaxed)
    atomicMemoryFence(ordering: .releasing)
    time.store(motion.time.nanoseconds, ordering: .relaxed)
    first.store(Self.pack(motion.x, motion.y), ordering: .relaxed)
    second.store(Self.pack(motion.z, motion.activity), ordering: .relaxed)
    third.store(Self.pack(motion.tilt.pitch, motion.tilt.roll), ordering: .relaxed)
    // No strike has a negative force.
    fourth.store(Self.pack(motion.jerk ?? -1, 0), ordering: .relaxed)
    count.store(before &+ 2, ordering: .releasing)
  }

  func load() -> Motion {
    while true {
      let before = count.load(ordering: .acquiring)
      let moment = time.load(ordering: .relaxed)
      let (x, y) = Self.unpack(first.load(ordering: .relaxed))
      let (z, activity) = Self.unpack(second.load(ordering: .relaxed))
      let (pitch, roll) = Self.unpack(third.load(ordering: .relaxed))
      let (jerk, _) = Self.unpack(fourth.load(ordering: .relaxed))
      atomicMemoryFence(ordering: .acquiring)
      guard before % 2 == 0, count.load(ordering: .relaxed) == before else { continue }
      return Motion(
        time: HostTime(nanoseconds: moment), x: x, y: y, z: z, tilt: Motion.Tilt(pitch: pitch, roll: roll),
        activity: activity, jerk: jerk < 0 ? nil : jerk)
    }
  }

  private static func pack(_ high: Float, _ low: Float) -> UInt64 {
    UInt64(high.bitPattern) << 32 | UInt64(low.bitPattern)
  }

  private static func unpack(_ word: UInt64) -> (Float, Float) {
    (Float(bitPattern: UInt32(word >> 32)), Float(bitPattern: UInt32(truncatingIfNeeded: word)))
  }
}
