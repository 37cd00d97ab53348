import MoTime

/// A card whose sound goes to a WAV file: paced like a real one, written by the `mo-disk` thread.
final class WavDevice: AudioDevice {
  let name: String
  let format: AudioFormat
  private let pace: VirtualDevice
  private let disk: WavDisk
  private let thread: MoThread

  /// Seconds of sound that wait in memory while the disk is busy.
  private static let bufferSeconds = 4.0

  /// - Parameter report: called once, on the disk thread, if the file can be written no more.
  /// - Throws: `AudioError.cannotWrite` where the file cannot be made.
  init(
    path: String, format: AudioFormat, clock: any TimeSource, report: @escaping @Sendable (AudioError) -> Void
  ) throws(AudioError) {
    name = "wav:\(path)"
    self.format = format
    pace = VirtualDevice(name: name, format: format, clock: clock)
    let disk = WavDisk(
      writer: try WavWriter(path: path, sampleRate: format.sampleRate, channels: format.outputs),
      capacity: Int(WavDevice.bufferSeconds * format.sampleRate) * format.outputs, report: report)
    self.disk = disk
    do throws(MoThread.Failure) {
      thread = try MoThread(name: "mo-disk") { thread in disk.run(thread) }
    } catch {
      throw .noThread(reason: error.description)
    }
  }

  var outputLatencyFrames: Int { pace.outputLatencyFrames }
  func start() { pace.start() }
  func wait() -> AudioDeviceState { pace.wait() }
  func read(_ block: UnsafeMutableBufferPointer<Float>) -> Bool { pace.read(block) }

  func write(_ block: UnsafeBufferPointer<Float>) -> Bool {
    disk.take(block)
    return pace.write(block)
  }

  func stop() {}

  func close() {
    thread.cancel()
    thread.join()
  }
}

/// The way of the sound from the audio thread to the disk.
private final class WavDisk: @unchecked Sendable {
  // Unchecked: the writer belongs to the disk thread; the audio thread reaches only the ring.
  private let writer: WavWriter
  private let ring: MoQueue<Float>
  private let report: @Sendable (AudioError) -> Void

  init(writer: WavWriter, capacity: Int, report: @escaping @Sendable (AudioError) -> Void) {
    self.writer = writer
    ring = MoQueue(capacity: capacity)
    self.report = report
  }

  /// Takes a block whole or not at all: half a frame would swap the channels from here on.
  func take(_ block: UnsafeBufferPointer<Float>) {
    guard ring.capacity - ring.count >= block.count else { return }
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
