import MoCore
import MoRuntime
import Synchronization

/// The queue through which sound passes from the audio thread to a WAV file.
///
/// The file has silence in place of sound that the program did not deliver in time (xrun), and in place of sound that
/// did not fit in the queue. The audio thread passes only the position and length of a gap, and the disk thread writes
/// the silence. So a block after a long gap costs no more than any other block.
package final class WavDisk: @unchecked Sendable {
  // Unchecked: the disk thread owns the writer and the chunk; the audio thread owns `pushed`.
  private let writer: WavWriter
  private let ring: MoQueue<Float>
  private let gaps = MoQueue<Gap>(capacity: 64)
  private let report: @Sendable (AudioError) -> Void
  private let chunk: UnsafeMutableBufferPointer<Float>
  private var written = 0
  private var isBroken = false
  private let firstHeard = Atomic<Int64>(0)
  private let rate = Atomic<UInt64>(0)
  /// The sample rate to which the file changes before its first frame, as the bits of a `Double`; 0 for no change.
  private let wantedRate = Atomic<UInt64>(0)
  /// The number of silent samples to insert before the next accepted block: skipped samples, and samples that did not
  /// fit in the queue.
  ///
  /// The audio thread writes the number; `close` reads it, after the last block.
  private let missing = Atomic<Int>(0)
  private var pushed = 0
  private let lost = Atomic<Int>(0)
  private var hasWarned = false

  /// A gap in the sound: `count` silent samples before the accepted sample with the index `before`.
  private struct Gap: BitwiseCopyable, Sendable {
    var before: Int
    var count: Int
  }

  /// The largest number of frames that are written to the file at once.
  private static let chunkFrames = 4096

  /// - Parameters:
  ///   - capacity: the number of samples that may wait in the queue.
  ///   - report: called once, on the disk thread, if the file can no longer be written.
  package init(writer: WavWriter, capacity: Int, report: @escaping @Sendable (AudioError) -> Void) {
    self.writer = writer
    ring = MoQueue(capacity: capacity)
    self.report = report
    chunk = .allocate(capacity: Self.chunkFrames * writer.channels)
  }

  deinit { chunk.deallocate() }

  /// Gives the file a comment that states the frame rate, and the host time at which frame 0 is heard.
  ///
  /// Call the function once, before the first block.
  func began(at time: HostTime, framesPerSecond: Double) {
    rate.store(framesPerSecond.bitPattern, ordering: .relaxed)
    firstHeard.store(time.nanoseconds, ordering: .releasing)
  }

  /// Changes the sample rate of the file, if no sound has been passed to `append` yet.
  ///
  /// - Real-time safe: yes.
  func change(sampleRate: Double) { wantedRate.store(sampleRate.bitPattern, ordering: .relaxed) }

  /// The number of samples that did not fit in the queue because the disk was too slow.
  package var dropped: Int { lost.load(ordering: .relaxed) }

  /// Returns whether the queue has room for `count` more samples.
  package func hasRoom(for count: Int) -> Bool { ring.capacity - ring.count >= count }

  /// Adds `samples` samples of silence to the file, in place of samples that the card played without the program.
  ///
  /// Such samples are the silence at the start of the card, and the samples that are lost in an xrun.
  package func skip(samples: Int) { missing.wrappingAdd(samples, ordering: .relaxed) }

  /// Puts a whole block into the queue; if the block does not fit, the file gets silence instead.
  ///
  /// - Real-time safe: yes; the call copies the block once. A preceding silence, however long, costs no time.
  package func append(_ block: UnsafeBufferPointer<Float>) {
    // The gap is queued first, so a reader of the block also sees the gap before it.
    let gap = missing.load(ordering: .relaxed)
    guard hasRoom(for: block.count), gap == 0 || gaps.push(Gap(before: pushed, count: gap)) else {
      missing.wrappingAdd(block.count, ordering: .relaxed)
      lost.wrappingAdd(block.count, ordering: .relaxed)
      return
    }
    missing.store(0, ordering: .relaxed)
    if ring.push(contentsOf: block) { pushed += block.count }
  }

  /// The body of the disk thread: writes queued sound until the thread is cancelled, then the rest, and completes the
  /// file.
  package func run(_ thread: MoThread.Body) {
    while !thread.isCancelled {
      drain()
      thread.sleep(for: .milliseconds(100))
    }
    close()
  }

  /// Writes the sound that is in the queue at the time of the call, and logs the first loss of sound.
  package func drain() {
    if !hasWarned, dropped > 0 {
      hasWarned = true
      MoLog.log(
        .warning,
        "\(writer.path) has silence in place of sound that came faster than the disk wrote it; choose a file on a "
          + "faster disk")
    }
    let heard = firstHeard.load(ordering: .acquiring)
    if heard != 0 {
      let framesPerSecond = Double(bitPattern: rate.load(ordering: .relaxed))
      writer.comment = "frame 0 heard at CLOCK_MONOTONIC_RAW \(heard) ns; \(framesPerSecond) frames a second"
    }
    // Sound that arrives during the write waits for the next call.
    let end = written + ring.count
    // Read after the count of the ring: if the first sound is visible, so is a rate that was set before it.
    let sampleRate = Double(bitPattern: wantedRate.load(ordering: .relaxed))
    if sampleRate != 0 { writer.change(sampleRate: sampleRate) }
    repeat {
      if let gap = gaps.peek(), gap.before == written {
        _ = gaps.pop()
        writeSilence(gap.count)
      }
      let wanted = min(chunk.count, min(gaps.peek()?.before ?? end, end) - written)
      let count = ring.pop(into: UnsafeMutableBufferPointer(rebasing: chunk[..<max(0, wanted)]))
      written += count
      write(count)
    } while written < end
  }

  private func writeSilence(_ samples: Int) {
    var left = samples
    while left > 0 {
      let count = min(left, chunk.count)
      chunk.baseAddress?.update(repeating: 0, count: count)
      write(count)
      left -= count
    }
  }

  /// Writes the first `count` samples of `chunk` to the file; these are whole frames, since all blocks have whole
  /// frames.
  private func write(_ count: Int) {
    guard !isBroken, count > 0 else { return }
    do throws(AudioError) {
      try writer.append(UnsafeBufferPointer(rebasing: chunk[..<count]))
    } catch {
      isBroken = true
      report(error)
    }
  }

  /// Writes the rest of the queue, and silence in place of the last lost samples, and completes the file.
  package func close() {
    drain()
    writeSilence(missing.exchange(0, ordering: .relaxed))
    writer.close()
  }
}
