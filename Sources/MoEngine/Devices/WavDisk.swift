import MoRealTime
import MoTime
import Synchronization

/// The way of the sound from the audio thread to a WAV file.
package final class WavDisk: @unchecked Sendable {
  // Unchecked: the writer and what is on its way to it belong to the disk thread, `missing` to the audio thread.
  private let writer: WavWriter
  private let ring: MoQueue<Float>
  private let report: @Sendable (AudioError) -> Void
  private var chunk: [Float] = []
  private var isBroken = false
  private let firstHeard = Atomic<Int64>(0)
  private let rate = Atomic<UInt64>(0)
  /// Samples that were played to nobody, or found no room: silence in the file.
  private var missing = 0
  private let lost = Atomic<Int>(0)

  /// - Parameters:
  ///   - capacity: how many samples may wait for the disk.
  ///   - report: called once, on the disk thread, if the file can be written no more.
  package init(writer: WavWriter, capacity: Int, report: @escaping @Sendable (AudioError) -> Void) {
    self.writer = writer
    ring = MoQueue(capacity: capacity)
    self.report = report
  }

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
  package func take(_ block: UnsafeBufferPointer<Float>) {
    while missing > 0, ring.push(0) { missing -= 1 }
    guard missing == 0, hasRoom(for: block.count) else {
      missing += block.count
      lost.wrappingAdd(block.count, ordering: .relaxed)
      return
    }
    for sample in block { ring.push(sample) }
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
    chunk.removeAll(keepingCapacity: true)
    // The audio thread may be in the middle of a frame: the rest of that waits for the next time.
    let whole = ring.count / writer.channels * writer.channels
    while chunk.count < whole, let sample = ring.pop() { chunk.append(sample) }
    guard !isBroken, !chunk.isEmpty else { return }
    do throws(AudioError) {
      try chunk.withUnsafeBufferPointer { samples throws(AudioError) in try writer.append(samples) }
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
