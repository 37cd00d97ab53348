import MoCore
import Synchronization

/// The way of the sound from the audio thread to a WAV file.
///
/// Sound that was lost or found no room is silence in the file. The audio thread only says where it stands and how
/// long it is: the disk thread writes it, so that a block costs no more after a long pause than at any other time.
package final class WavDisk: @unchecked Sendable {
  // Unchecked: the writer and what is on its way to it belong to the disk thread, `missing` and `pushed` to the audio
  // thread.
  private let writer: WavWriter
  private let ring: MoQueue<Float>
  private let gaps = MoQueue<Gap>(capacity: 64)
  private let report: @Sendable (AudioError) -> Void
  private let chunk: UnsafeMutableBufferPointer<Float>
  private var written = 0
  private var isBroken = false
  private let firstHeard = Atomic<Int64>(0)
  private let rate = Atomic<UInt64>(0)
  /// Samples that were lost or found no room since the last that was taken.
  private var missing = 0
  private var pushed = 0
  private let lost = Atomic<Int>(0)

  /// Silence before a sample of those that were taken.
  private struct Gap: BitwiseCopyable, Sendable {
    var before: Int
    var count: Int
  }

  /// Frames written at once.
  private static let chunkFrames = 4096

  /// - Parameters:
  ///   - capacity: how many samples may wait for the disk.
  ///   - report: called once, on the disk thread, if the file can be written no more.
  package init(writer: WavWriter, capacity: Int, report: @escaping @Sendable (AudioError) -> Void) {
    self.writer = writer
    ring = MoQueue(capacity: capacity)
    self.report = report
    chunk = .allocate(capacity: Self.chunkFrames * writer.channels)
  }

  deinit { chunk.deallocate() }

  /// Says when frame 0 is heard, and how many are heard a second; once, before the first block.
  func began(at time: HostTime, framesPerSecond: Double) {
    rate.store(framesPerSecond.bitPattern, ordering: .relaxed)
    firstHeard.store(time.nanoseconds, ordering: .releasing)
  }

  /// How many samples found no room, because the disk did not keep up.
  package var dropped: Int { lost.load(ordering: .relaxed) }

  /// Whether so many samples can be taken now.
  package func hasRoom(for count: Int) -> Bool { ring.capacity - ring.count >= count }

  /// Leaves out samples that the card played without us.
  func skip(samples: Int) { missing += samples }

  /// Takes a block whole or, where there is no room, as silence for later.
  ///
  /// - Real-time safe: yes; one copy, whatever was missing.
  package func take(_ block: UnsafeBufferPointer<Float>) {
    // The gap is told first: who sees the block sees what stands before it.
    guard hasRoom(for: block.count), missing == 0 || gaps.push(Gap(before: pushed, count: missing)) else {
      missing += block.count
      lost.wrappingAdd(block.count, ordering: .relaxed)
      return
    }
    missing = 0
    if ring.push(contentsOf: block) { pushed += block.count }
  }

  /// Writes what comes until the thread is cancelled, then the rest, and completes the file.
  package func run(_ thread: MoThread.Body) {
    while !thread.isCancelled {
      drain()
      thread.sleep(for: .milliseconds(100))
    }
    close()
  }

  /// Writes what has come.
  package func drain() {
    let heard = firstHeard.load(ordering: .acquiring)
    if heard != 0 {
      let framesPerSecond = Double(bitPattern: rate.load(ordering: .relaxed))
      writer.comment = "frame 0 heard at CLOCK_MONOTONIC_RAW \(heard) ns; \(framesPerSecond) frames a second"
    }
    // What comes while this is written waits for the next time.
    let end = written + ring.count
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

  /// Writes the first samples of the chunk; blocks are whole frames, and so are these.
  private func write(_ count: Int) {
    guard !isBroken, count > 0 else { return }
    do throws(AudioError) {
      try writer.append(UnsafeBufferPointer(rebasing: chunk[..<count]))
    } catch {
      isBroken = true
      report(error)
    }
  }

  /// Writes the rest and completes the file.
  package func close() {
    drain()
    writer.close()
  }
}
