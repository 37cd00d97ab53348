import MoAudioEngine
import MoCore
import Synchronization

/// Playback into a file, or nowhere, as fast as possible: the offline renderer requests the frames.
package final class OfflinePlayback: Playback, @unchecked Sendable {
  // Unchecked: the thread that renders offline owns the writer and the pending error.
  package let renderer: BlockRenderer
  package let format: AudioFormat
  package let deviceName: String
  private let writer: WavWriter?
  private let card: SimulatedCard
  /// Frames from a rendered block to the ear.
  private let latencyFrames: Int

  /// - Parameters:
  ///   - path: the WAV file to write, nil for none.
  ///   - card: the pattern of requests; its latency is 0 by default, as a file has none.
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

  /// The number of blocks that the card requests in one burst, ahead of the ear; nil if the card has no queue.
  ///
  /// Without a queue, each block may end at the next clock reading.
  package var burstBlocks: Int? { card.hasQueue ? card.burstBlocks(format) : nil }

  /// Renders the blocks that a card requests in one burst.
  ///
  /// - Parameter now: the time of the request.
  /// - Returns: the number of frames of all blocks.
  /// - Throws: `AudioError.cannotWrite` if the file can no longer be written.
  package func renderBurst(at now: HostTime) throws(AudioError) -> Int {
    let blocks = burstBlocks ?? 1
    for block in 0..<blocks {
      let ahead = Double(latencyFrames + block * format.blockFrames) / format.sampleRate
      try render(frames: format.blockFrames, at: now.advanced(bySeconds: ahead), now: now)
    }
    return blocks * format.blockFrames
  }

  /// Renders the next frames.
  ///
  /// - Parameters:
  ///   - frames: 1 … 8192.
  ///   - time: the time at which the first is heard.
  ///   - now: the time of the request; nil for the time of the first frame.
  /// - Throws: `AudioError.cannotWrite` if the file can no longer be written.
  package func render(frames: Int, at time: HostTime, now: HostTime? = nil) throws(AudioError) {
    renderer.render(frames: frames, time: time, nanosecondsPerFrame: 1e9 / format.sampleRate, now: now)
    try writer?.append(UnsafeBufferPointer(rebasing: renderer.output[..<(frames * format.outputs)]))
  }

  package func stop() { writer?.close() }
}
