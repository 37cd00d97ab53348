import MoAudioEngine
import MoCore
import Synchronization

/// Playing into a file, or nowhere, as fast as it can be computed: the offline renderer asks for the frames.
package final class OfflinePlayback: Playback, @unchecked Sendable {
  // Unchecked: the writer and the pending error belong to the one thread that renders offline.
  package let renderer: BlockRenderer
  package let format: AudioFormat
  package let deviceName: String
  private let writer: WavWriter?
  private let card: SimulatedCard
  /// Frames from a rendered block to the ear.
  private let latencyFrames: Int

  /// - Parameters:
  ///   - path: the WAV file to write, nil for none.
  ///   - card: how blocks are asked for; as a file has no latency of its own, that is none if it is not said.
  /// - Throws: `AudioError.cannotWrite` where the file cannot be made.
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
    // Frame n of the file is heard at n / rate: before the first block there is silence.
    let silence = [Float](repeating: 0, count: latencyFrames * format.outputs)
    try silence.withUnsafeBufferPointer { samples throws(AudioError) in try writer?.append(samples) }
  }

  package var rights: String { "counted time" }
  package var shortcomings: [String] { [] }

  /// How many blocks are rendered at once and ahead of the ear; nil if each may end at the next reading.
  package var burstBlocks: Int? { card.hasQueue ? card.burstBlocks(format) : nil }

  /// Renders the blocks that a card asks for at once.
  ///
  /// - Parameter now: when it asks.
  /// - Returns: the frames of all.
  /// - Throws: `AudioError.cannotWrite` where the file can be written no more.
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
  ///   - time: when the first is heard.
  ///   - now: when they are asked for; nil for the moment of the first.
  /// - Throws: `AudioError.cannotWrite` where the file can be written no more.
  package func render(frames: Int, at time: HostTime, now: HostTime? = nil) throws(AudioError) {
    renderer.render(frames: frames, time: time, nanosecondsPerFrame: 1e9 / format.sampleRate, now: now)
    try writer?.append(UnsafeBufferPointer(rebasing: renderer.output[..<(frames * format.outputs)]))
  }

  package func stop() { writer?.close() }
}
