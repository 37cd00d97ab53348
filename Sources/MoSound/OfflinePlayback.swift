import MoEngine
import MoTime
import Synchronization

/// Playing into a file, or nowhere, as fast as it can be computed: the offline renderer asks for the frames.
package final class OfflinePlayback: Playback, @unchecked Sendable {
  // Unchecked: the writer and the pending error belong to the one thread that renders offline.
  package let renderer: BlockRenderer
  package let format: AudioFormat
  package let deviceName: String
  private let writer: WavWriter?

  /// - Parameter path: the WAV file to write, nil for none.
  /// - Throws: `AudioError.cannotWrite` where the file cannot be made.
  init(path: String?, format: AudioFormat, renderer: BlockRenderer) throws(AudioError) {
    self.format = format
    self.renderer = renderer
    deviceName = path.map { "wav:\($0)" } ?? "virtual"
    writer =
      if let path {
        try WavWriter(path: path, sampleRate: format.sampleRate, channels: format.outputs)
      } else { nil }
    renderer.warmUp(frames: format.blockFrames, at: .zero)
  }

  package var rights: String { "counted time" }
  package var shortcomings: [String] { [] }

  /// Renders the next frames.
  ///
  /// - Parameters:
  ///   - frames: 1 … 8192.
  ///   - time: the moment of the first.
  /// - Throws: `AudioError.cannotWrite` where the file can be written no more.
  package func render(frames: Int, at time: HostTime) throws(AudioError) {
    renderer.render(frames: frames, time: time, nanosecondsPerFrame: 1e9 / format.sampleRate)
    try writer?.append(UnsafeBufferPointer(rebasing: renderer.output[..<(frames * format.outputs)]))
  }

  package func stop() { writer?.close() }
}
