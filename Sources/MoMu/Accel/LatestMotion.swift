import MoDSP
import MoTime
import Synchronization

/// The latest motion, whole, for anybody who looks: a reader never waits and never sees half of one.
///
/// The writer goes round eight places and then says which one is the latest, so a reader looks where nobody
/// writes. A single place would not do: the audio thread may interrupt the writer in the middle of it, and would
/// then wait for a thread that it keeps from running. Each place has a count of its own, which shows a reader who
/// was held up for eight whole readings that he must look again.
///
/// - Source: H.-J. Boehm, *Can Seqlocks Get Along with Programming Language Memory Models?*, MSPC 2012, for the
///   count and its fences.
/// - Thread: one writer at a time, any readers.
/// - Real-time safe: yes.
final class LatestMotion: @unchecked Sendable {
  // Unchecked: the words are atomic, and their memory does not move.
  private let words: UnsafeMutablePointer<Atomic<UInt64>>
  /// How many motions were stored.
  private let count = Atomic<UInt64>(0)

  private static let places: UInt64 = 8
  /// A place: which motion it holds (0 while it is being written), its time, and four pairs of numbers.
  private static let wordsAPlace = 6

  init() {
    let size = Int(Self.places) * Self.wordsAPlace
    words = .allocate(capacity: size)
    for index in 0..<size { (words + index).initialize(to: Atomic(0)) }
    store(.still)
  }

  deinit {
    words.deinitialize(count: Int(Self.places) * Self.wordsAPlace)
    words.deallocate()
  }

  func store(_ motion: Motion) {
    let number = count.load(ordering: .relaxed) &+ 1
    let place = place(of: number)
    place[0].store(0, ordering: .relaxed)
    atomicMemoryFence(ordering: .releasing)
    place[1].store(UInt64(bitPattern: motion.time.nanoseconds), ordering: .relaxed)
    place[2].store(Self.pack(motion.x, motion.y), ordering: .relaxed)
    place[3].store(Self.pack(motion.z, motion.activity), ordering: .relaxed)
    place[4].store(Self.pack(motion.tilt.pitch, motion.tilt.roll), ordering: .relaxed)
    // No strike has a negative force.
    place[5].store(Self.pack(motion.jerk ?? -1, 0), ordering: .relaxed)
    place[0].store(number, ordering: .releasing)
    count.store(number, ordering: .releasing)
  }

  func load() -> Motion {
    while true {
      let number = count.load(ordering: .acquiring)
      let place = place(of: number)
      let before = place[0].load(ordering: .acquiring)
      let time = Int64(bitPattern: place[1].load(ordering: .relaxed))
      let (x, y) = Self.unpack(place[2].load(ordering: .relaxed))
      let (z, activity) = Self.unpack(place[3].load(ordering: .relaxed))
      let (pitch, roll) = Self.unpack(place[4].load(ordering: .relaxed))
      let (jerk, _) = Self.unpack(place[5].load(ordering: .relaxed))
      atomicMemoryFence(ordering: .acquiring)
      guard before == number, place[0].load(ordering: .relaxed) == number else { continue }
      return Motion(
        time: HostTime(nanoseconds: time), x: x, y: y, z: z, tilt: Motion.Tilt(pitch: pitch, roll: roll),
        activity: activity, jerk: jerk < 0 ? nil : jerk)
    }
  }

  private func place(of number: UInt64) -> UnsafeMutablePointer<Atomic<UInt64>> {
    words + Int(number % Self.places) * Self.wordsAPlace
  }

  private static func pack(_ high: Float, _ low: Float) -> UInt64 {
    UInt64(high.bitPattern) << 32 | UInt64(low.bitPattern)
  }

  private static func unpack(_ word: UInt64) -> (Float, Float) {
    (Float(bitPattern: UInt32(word >> 32)), Float(bitPattern: UInt32(truncatingIfNeeded: word)))
  }
}
