import MoCore

/// A card whose sound goes to a WAV file: paced like a real card, written by the `mo-disk` thread.
///
/// Frames and time stay aligned: lost frames are written as silence. With its own clock, the file's comment also gives
/// the time at which its first frame was heard, so that recordings can be aligned. With a latency, the file begins
/// with that much silence, as a listener would hear it.
package final class WavDevice: AudioDevice {
  package let name: String
  package let format: AudioFormat
  private let pace: VirtualDevice
  private let disk: WavDisk
  private let thread: MoThread
  private let crystal: SimulatedOscillator?
  /// Frames of silence before the first block.
  private let silence: Int

  /// Seconds of sound that may wait in memory while the disk is busy.
  private static let bufferSeconds = 4.0

  /// - Parameters:
  ///   - clock: the host's clock.
  ///   - card, crystal: as for `VirtualDevice`.
  ///   - report: called once, on the disk thread, if the file can no longer be written.
  /// - Throws: `AudioError.cannotWrite` if the file cannot be created.
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
      capacity: Int(WavDevice.bufferSeconds * format.sampleRate) * format.outputs, report: report)
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
    disk.take(block)
    return pace.write(block)
  }

  package func stop() {}

  package func close() {
    thread.cancel()
    thread.join()
  }
}
