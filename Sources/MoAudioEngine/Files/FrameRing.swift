import Synchronization

/// A ring buffer for frames from the disk thread to the audio thread, and for requests in the other direction.
///
/// The reader can access several frames, so that it can interpolate. Neither side ever waits. To continue from another
/// position, the reader sends a request. The writer marks the place in the ring at which the requested frames begin,
/// and the reader skips all frames before that place.
///
/// - Thread: one writer, one reader.
/// - Real-time safe: yes, except `init`.
package final class FrameRing: @unchecked Sendable {
  // Unchecked: the writer owns a frame until `tail` passes it, then the reader until `head` does. Acquire and release
  // on the two hand it over.
  let channels: Int
  let capacity: Int
  private let samples: UnsafeMutablePointer<Float>
  private let head = Atomic<Int>(0)
  private let tail = Atomic<Int>(0)
  /// The number of written frames, counted as in `tail`, after which the sound ends; `Int.max` before the end is known.
  private let end = Atomic<Int>(.max)

  private let wantedFrame = Atomic<Int>(0)
  private let wantsBackwards = Atomic<Bool>(false)
  private let wantedRate: Atomic<UInt64>
  private let asked = Atomic<Int>(0)
  private let served = Atomic<Int>(0)
  private let cut = Atomic<Int>(0)
  let isLooping = Atomic<Bool>(false)

  /// - Parameters:
  ///   - frames: the capacity, rounded up to a power of two.
  ///   - sampleRate: frames per second that the reader wants, until it requests another rate.
  package init(channels: Int, frames: Int, sampleRate: Double = 48_000) {
    wantedRate = Atomic(sampleRate.bitPattern)
    var size = 64
    while size < frames { size *= 2 }
    (self.channels, capacity) = (channels, size)
    samples = .allocate(capacity: size * channels)
    samples.initialize(repeating: 0, count: size * channels)
  }

  deinit { samples.deallocate() }

  // MARK: The reader

  /// Asks the writer for the frames from `frame` on, forwards or backwards, and drops the frames in the ring.
  ///
  /// The reader must not read frames until `arrive()` returns true.
  ///
  /// - Parameter sampleRate: the new sample rate of the frames; nil if it stays the same.
  package func ask(for frame: Int, backwards: Bool, sampleRate: Double? = nil) {
    // Earlier frames are freed. Frames that the writer adds before it sees the request are before the cut.
    head.store(tail.load(ordering: .acquiring), ordering: .releasing)
    wantedFrame.store(frame, ordering: .relaxed)
    wantsBackwards.store(backwards, ordering: .relaxed)
    if let sampleRate { wantedRate.store(sampleRate.bitPattern, ordering: .relaxed) }
    asked.wrappingAdd(1, ordering: .releasing)
  }

  /// Returns whether the requested frames have arrived; if so, skips the frames before them.
  package func arrive() -> Bool {
    guard served.load(ordering: .acquiring) == asked.load(ordering: .relaxed) else { return false }
    head.store(cut.load(ordering: .relaxed), ordering: .releasing)
    return true
  }

  /// The number of frames that the reader can read now.
  package var readable: Int { tail.load(ordering: .acquiring) &- head.load(ordering: .relaxed) }

  /// The number of frames from the reader's position to the end of the sound; nil before the end is known.
  package var left: Int? {
    let end = end.load(ordering: .acquiring)
    return end == .max ? nil : end &- head.load(ordering: .relaxed)
  }

  /// Returns the sample of a channel, `ahead` frames after the first readable frame.
  package func sample(_ ahead: Int, _ channel: Int) -> Float {
    samples[((head.load(ordering: .relaxed) &+ ahead) & (capacity &- 1)) &* channels &+ channel]
  }

  /// Moves the reader's position forward by `frames`, so that the writer can reuse their space.
  package func advance(by frames: Int) {
    head.store(head.load(ordering: .relaxed) &+ frames, ordering: .releasing)
  }

  // MARK: The writer

  /// Returns the reader's last request; nil if `serve` was already called with its number.
  package func request() -> (frame: Int, backwards: Bool, sampleRate: Double, number: Int)? {
    let number = asked.load(ordering: .acquiring)
    guard number != served.load(ordering: .relaxed) else { return nil }
    return (
      wantedFrame.load(ordering: .relaxed), wantsBackwards.load(ordering: .relaxed),
      Double(bitPattern: wantedRate.load(ordering: .relaxed)), number
    )
  }

  /// Answers the request with this number: the frames that are written from now on are the requested frames.
  package func serve(_ number: Int) {
    cut.store(tail.load(ordering: .relaxed), ordering: .relaxed)
    end.store(.max, ordering: .relaxed)
    served.store(number, ordering: .releasing)
  }

  /// The number of frames that the writer can write now.
  package var room: Int { capacity &- (tail.load(ordering: .relaxed) &- head.load(ordering: .acquiring)) }

  /// Writes frames, at most `room`; if `backwards`, in reverse order.
  package func write(_ source: UnsafePointer<Float>, frames: Int, backwards: Bool) {
    let start = tail.load(ordering: .relaxed)
    for frame in 0..<frames {
      let from = source + (backwards ? frames &- 1 &- frame : frame) &* channels
      let slot = samples + ((start &+ frame) & (capacity &- 1)) &* channels
      slot.update(from: from, count: channels)
    }
    tail.store(start &+ frames, ordering: .releasing)
  }

  /// Ends the sound after the frames that were written so far.
  package func finish() { end.store(tail.load(ordering: .relaxed), ordering: .releasing) }

  /// Cancels the end that `finish` has set, since more frames follow.
  func resume() { end.store(.max, ordering: .releasing) }
}
