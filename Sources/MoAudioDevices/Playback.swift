import MoAudioEngine
import MoCore
import Synchronization

/// The running sound of the program, from `MoAudio.start` to `MoAudio.stop`.
package protocol Playback: AnyObject, Sendable {
  /// The renderer, which calls the program's callback for each block.
  var renderer: BlockRenderer { get }
  /// The name of the device that plays now, as `--audio` gives it.
  var deviceName: String { get }
  /// The format at which the present device runs.
  var format: AudioFormat { get }
  /// The priority of the callback's thread and its source, in words, such as "real-time priority 4, by rtkit".
  var rights: String { get }
  /// Rights that the system did not grant, each with the command to get it; empty if none is missing.
  var shortcomings: [String] { get }
  /// Fades out, stops, releases the device, and then returns.
  func stop()
}

/// Playback with `--offline`: the sound goes to a WAV file, or is discarded, as fast as it can be rendered.
///
/// `OfflineRenderer` requests the frames.
package final class OfflinePlayback: Playback, @unchecked Sendable {
  // Unchecked: the thread that renders offline owns the writer and the pending error.
  package let renderer: BlockRenderer
  package let format: AudioFormat
  package let deviceName: String
  private let writer: WavWriter?
  private let card: SimulatedCard
  /// The time from the rendering of a block until it is heard, in frames.
  private let latencyFrames: Int

  /// - Parameters:
  ///   - path: the WAV file to write; nil for none.
  ///   - card: the simulated card, which sets the latency and the burst. Its latency is 0 by default, as a file has
  ///     none.
  /// - Throws: `AudioError.cannotWrite` if the file cannot be created.
  init(
    path: String?, format: AudioFormat, card: SimulatedCard = SimulatedCard(), renderer: BlockRenderer
  ) throws(AudioError) {
    self.format = format
    self.card = card
    latencyFrames = card.latencyFrames(format, unsaid: 0)
    self.renderer = renderer
    deviceName = path.map { "wav:\($0)" } ?? "virtual"
    writer =
      if let path {
        try WavWriter(path: path, sampleRate: format.sampleRate, channels: format.outputs)
      } else { nil }
    renderer.statistics.latencyFrames.store(latencyFrames, ordering: .relaxed)
    renderer.warmUp(frames: format.blockFrames, at: .zero)
    // Frame n of the file is heard at n / rate: silence precedes the first block.
    let silence = [Float](repeating: 0, count: latencyFrames * format.outputs)
    try silence.withUnsafeBufferPointer { samples throws(AudioError) in try writer?.append(samples) }
  }

  package var rights: String { "counted time" }
  package var shortcomings: [String] { [] }

  /// The number of blocks that the simulated card requests in one burst, ahead of the time at which they are heard.
  ///
  /// The value is nil if the card has no queue.
  ///
  /// Without a queue, `OfflineRenderer` requests a shorter block if a sensor reading is due within the block; the block
  /// then ends at the time of this reading.
  package var burstBlocks: Int? { card.hasQueue ? card.burstBlocks(format) : nil }

  /// Renders the blocks that the card requests in one burst.
  ///
  /// - Parameter now: the time of the request.
  /// - Returns: the number of frames in all these blocks together.
  /// - Throws: `AudioError.cannotWrite` if the file can no longer be written.
  package func renderBurst(at now: HostTime) throws(AudioError) -> Int {
    let blocks = burstBlocks ?? 1
    for block in 0..<blocks {
      let ahead = Double(latencyFrames + block * format.blockFrames) / format.sampleRate
      try render(frames: format.blockFrames, at: now.advanced(bySeconds: ahead), now: now)
    }
    return blocks * format.blockFrames
  }

  /// Renders the next frames, and appends them to the file if there is one.
  ///
  /// - Parameters:
  ///   - frames: the number of frames, 1 … 8192.
  ///   - time: the time at which the first of these frames is heard.
  ///   - now: the time of the request; nil if the frames are requested at `time`, without latency.
  /// - Throws: `AudioError.cannotWrite` if the file can no longer be written.
  package func render(frames: Int, at time: HostTime, now: HostTime? = nil) throws(AudioError) {
    renderer.render(frames: frames, time: time, nanosecondsPerFrame: 1e9 / format.sampleRate, now: now)
    try writer?.append(UnsafeBufferPointer(rebasing: renderer.output[..<(frames * format.outputs)]))
  }

  package func stop() { writer?.close() }
}
