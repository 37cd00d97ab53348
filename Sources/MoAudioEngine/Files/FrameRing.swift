import Synchronization

/// Frames on their way from the disk thread to the audio thread, and what that asks of this.
///
/// The reader sees a window of several frames, so that it can interpolate; neither side ever waits. To play on from
/// another place the reader asks for it; the writer marks where in the ring the new frames begin, and the reader
/// passes over all before.
///
/// - Thread: one writes, one reads.
/// - Real-time safe: yes, but for `init`.
final class FrameRing: @unchecked Sendable {
  // Unchecked: a frame belongs to the writer until `tail` passes it and to the reader until `head` does; the acquire
  // and release on the two hand it over.
  let channels: Int
  let capacity: Int
  private let samples: UnsafeMutablePointer<Float>
  private let head = Atomic<Int>(0)
  private let tail = Atomic<Int>(0)
  /// Where the sound is over, as a count of frames; `Int.max` while there is more.
  private let end = Atomic<Int>(.max)

  private let wantedFrame = Atomic<Int>(0)
  private let wantsBackwards = Atomic<Bool>(false)
  private let wantedRate: Atomic<UInt64>
  private let asked = Atomic<Int>(0)
  private let served = Atomic<Int>(0)
  private let cut = Atomic<Int>(0)
  let isLooping = Atomic<Bool>(false)

  /// - Parameters:
  ///   - frames: how many it holds, rounded up to a power of two.
  ///   - sampleRate: frames a second that the reader wants, until it asks for another rate.
  init(channels: Int, frames: Int, sampleRate: Double = 48_000) {
    wantedRate = Atomic(sampleRate.bitPattern)
    var size = 64
    while size < frames { size *= 2 }
    (self.channels, capacity) = (channels, size)
    samples = .allocate(capacity: size * channels)
    samples.initialize(repeating: 0, count: size * channels)
  }

  deinit { samples.deallocate() }

  // MARK: The reader

  /// Wants the frames from this one on, forwards or backwards, and at another rate where one is given; until they come
  /// there is nothing to read.
  func ask(for frame: Int, backwards: Bool, sampleRate: Double? = nil) {
    // What was written until now makes room. What the writer adds before it hears of this stands before the cut.
    head.store(tail.load(ordering: .acquiring), ordering: .releasing)
    wantedFrame.store(frame, ordering: .relaxed)
    wantsBackwards.store(backwards, ordering: .relaxed)
    if let sampleRate { wantedRate.store(sampleRate.bitPattern, ordering: .relaxed) }
    asked.wrappingAdd(1, ordering: .releasing)
  }

  /// Whether what was asked for has come; passes over what came before it.
  func arrive() -> Bool {
    guard served.load(ordering: .acquiring) == asked.load(ordering: .relaxed) else { return false }
    head.store(cut.load(ordering: .relaxed), ordering: .releasing)
    return true
  }

  /// How many frames can be read.
  var readable: Int { tail.load(ordering: .acquiring) &- head.load(ordering: .relaxed) }

  /// How many frames of sound are left, where the end is in sight.
  var left: Int? {
    let end = end.load(ordering: .acquiring)
    return end == .max ? nil : end &- head.load(ordering: .relaxed)
  }

  /// A sample `ahead` frames after the first that can be read.
  func sample(_ ahead: Int, _ channel: Int) -> Float {
    samples[((head.load(ordering: .relaxed) &+ ahead) & (capacity &- 1)) &* channels &+ channel]
  }

  /// Lets go of frames.
  func advance(by frames: Int) { head.store(head.load(ordering: .relaxed) &+ frames, ordering: .releasing) }

  // MARK: The writer

  /// What the reader wants to hear next, once for each time it asks.
  func request() -> (frame: Int, backwards: Bool, sampleRate: Double, number: Int)? {
    let number = asked.load(ordering: .acquiring)
    guard number != served.load(ordering: .relaxed) else { return nil }
    return (
      wantedFrame.load(ordering: .relaxed), wantsBackwards.load(ordering: .relaxed),
      Double(bitPattern: wantedRate.load(ordering: .relaxed)), number
    )
  }

  /// What is written from now on is what was asked for.
  func serve(_ number: Int) {
    cut.store(tail.load(ordering: .relaxed), ordering: .relaxed)
    end.store(.max, ordering: .relaxed)
    served.store(number, ordering: .releasing)
  }

  /// How many frames there is room for.
  var room: Int { capacity &- (tail.load(ordering: .relaxed) &- head.load(ordering: .acquiring)) }

  /// Writes frames, for which there must be room.
  func write(_ source: UnsafePointer<Float>, frames: Int, backwards: Bool) {
    let start = tail.load(ordering: .relaxed)
    for frame in 0..<frames {
      let from = source + (backwards ? frames &- 1 &- frame : frame) &* channels
      let slot = samples + ((start &+ frame) & (capacity &- 1)) &* channels
      slot.update(from: from, count: channels)
    }
    tail.store(start &+ frames, ordering: .releasing)
  }

  /// Says that the frames written so far were all.
  func finish() { end.store(tail.load(ordering: .relaxed), ordering: .releasing) }

  /// Says that there is more after all.
  func resume() { end.store(.max, ordering: .releasing) }
}
