import MoTime
import Synchronization

/// The way of the sound from the audio thread to the disk.
final class WavDisk: @unchecked Sendable {
  // Unchecked: the writer belongs to the disk thread, `missing` to the audio thread.
  private let writer: WavWriter
  private let ring: MoQueue<Float>
  private let report: @Sendable (AudioError) -> Void
  private let firstHeard = Atomic<Int64>(0)
  private let rate = Atomic<UInt64>(0)
  /// Samples that were played to nobody, or found no room: silence in the file.
  private var missing = 0

  init(writer: WavWriter, capacity: Int, report: @escaping @Sendable (AudioError) -> Void) {
    self.writer = writer
    ring = MoQueue(capacity: capacity)
    self.report = report
  }

  /// Says when frame 0 is heard, and how many are heard a second; once, before the first block.
  func began(at time: HostTime, framesPerSecond: Double) {
    rate.store(framesPerSecond.bitPattern, ordering: .relaxed)
    firstHeard.store(time.nanoseconds, ordering: .releasing)
  }

  /// Leaves out samples that the card played without us.
  func skip(samples: Int) { missing += samples }

  /// Takes a block whole or, where there is no room, as silence for later.
  func take(_ block: UnsafeBufferPointer<Float>) {
    while missing > 0, ring.push(0) { missing -= 1 }
    guard missing == 0, ring.capacity - ring.count >= block.count else {
      missing += block.count
      return
    }
    for sample in block { ring.push(sample) }
  }

  /// Writes what comes until the thread is cancelled, then the rest, and completes the file.
  func run(_ thread: MoThread.Body) {
    var chunk: [Float] = []
    var isBroken = false
    var isLast = false
    while !isLast {
      isLast = thread.isCancelled
      chunk.removeAll(keepingCapacity: true)
      while let sample = ring.pop() { chunk.append(sample) }
      let heard = firstHeard.load(ordering: .acquiring)
      if heard != 0 {
        let framesPerSecond = Double(bitPattern: rate.load(ordering: .relaxed))
        writer.comment =
          "frame 0 heard at CLOCK_MONOTONIC_RAW \(heard) ns; \(framesPerSecond) frames a second"
      }
      if !isBroken {
        do throws(AudioError) {
          try chunk.withUnsafeBufferPointer { samples throws(AudioError) in try writer.append(samples) }
        } catch {
          isBroken = true
          report(error)
        }
      }
      if !isLast { thread.sleep(for: .milliseconds(100)) }
    }
    writer.close()
  }
}
