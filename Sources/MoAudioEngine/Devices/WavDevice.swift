import MoCore

/// A simulated card that writes its sound to a WAV file, at the pace of a real card.
///
/// The `mo-disk` thread writes the file. Lost frames are written as silence, so the time of each frame in the file is
/// right. If the card has its own clock, the file has a comment with the time at which its first frame was heard. With
/// these times, several recordings can be aligned. If a latency is set for the card, the file begins with silence of
/// that length, as a listener would hear it.
package final class WavDevice: AudioDevice {
  package let name: String
  package let format: AudioFormat
  private let pace: VirtualDevice
  private let disk: WavDisk
  private let thread: MoThread
  private let crystal: SimulatedOscillator?
  /// The number of frames of silence in the file before the first block.
  private let silence: Int

  /// Seconds of sound that may wait in memory while the disk is busy.
  private static let bufferSeconds = 4.0

  /// - Parameters:
  ///   - clock: the host's clock.
  ///   - card, crystal: as for `VirtualDevice`.
  ///   - report: called once, on the disk thread, if the file can no longer be written.
  /// - Throws: `AudioError.cannotWrite` if the file cannot be created; `AudioError.noThread` if the disk thread cannot
  ///   start.
  package init(
    path: String, format: AudioFormat, clock: any TimeSource, card: SimulatedCard = SimulatedCard(),
    crystal: SimulatedOscillator? = nil, report: @escaping @Sendable (AudioError) -> Void
  ) throws(AudioError) {
    name = "wav:\(path)"
    self.format = format
    let crystal = crystal ?? card.crystal(format)
    self.crystal = crystal
    silence = card.latencyFrames(format, unsaid: 0)
    pace = VirtualDevice(name: name, format: format, clock: clock, card: card, crystal: crystal)
    let disk = WavDisk(
      writer: try WavWriter(
        path: path, sampleRate: format.sampleRate, channels: format.outputs, hasComment: crystal != nil),
      capacity: min(1 << 24, Int(WavDevice.bufferSeconds * format.sampleRate) * format.outputs),
      report: report)
    self.disk = disk
    do throws(MoThread.Failure) {
      thread = try MoThread(name: "mo-disk") { thread in disk.run(thread) }
    } catch {
      throw .noThread(reason: error.description)
    }
  }

  package var outputLatencyFrames: Int { pace.outputLatencyFrames }

  package func start() {
    pace.start()
    if silence > 0 { disk.skip(samples: silence * format.outputs) }
    if let crystal {
      let first = pace.firstHeard.advanced(bySeconds: -Double(silence) / crystal.framesPerSecond)
      disk.began(at: first, framesPerSecond: crystal.framesPerSecond)
    }
  }

  package func wait() -> AudioDeviceState {
    let state = pace.wait()
    if case .recovered(let lost) = state { disk.skip(samples: lost * format.outputs) }
    return state
  }

  package func read(_ block: UnsafeMutableBufferPointer<Float>) -> Bool { pace.read(block) }

  package func write(_ block: UnsafeBufferPointer<Float>) -> Bool {
    disk.append(block)
    return pace.write(block)
  }

  package func stop() {}

  package func close() {
    thread.cancel()
    thread.join()
  }
}
