import MoAudioEngine
import MoRuntime

/// The arguments of `MoAudio.start`.
struct AudioSettings: Equatable, Sendable {
  var device: String?
  var sampleRate: Double = 48_000
  var blockFrames = 256
  var inputs = 0
  var outputs = 2

  /// Returns these settings, with the values of `--audio`, `--rate`, `--block` and `--channels` if the user gave them.
  ///
  /// `--channels` does not change settings without outputs.
  func overridden(by options: RunOptions) -> AudioSettings {
    var settings = self
    settings.device = options.audio ?? device
    settings.sampleRate = options.rate ?? sampleRate
    settings.blockFrames = options.block ?? blockFrames
    // A program without outputs stays so.
    if outputs > 0 { settings.outputs = options.channels ?? outputs }
    return settings
  }

  /// Returns the format of these settings.
  ///
  /// - Throws: `AudioError.outOfRange`, which names the argument and its range.
  func validated() throws(AudioError) -> AudioFormat {
    guard sampleRate >= 4_000, sampleRate <= 768_000 else {
      throw .outOfRange(
        what: "a sampleRate of", value: "\(sampleRate)", wants: "4000 to 768000 Hz, such as 48000")
    }
    guard (1...8192).contains(blockFrames) else {
      throw .outOfRange(
        what: "blockFrames of", value: "\(blockFrames)", wants: "1 to 8192 frames, such as 256")
    }
    guard (0...64).contains(inputs) else {
      throw .outOfRange(what: "inputs of", value: "\(inputs)", wants: "0 to 64 channels, such as 1")
    }
    guard (0...64).contains(outputs), inputs + outputs > 0 else {
      throw .outOfRange(what: "outputs of", value: "\(outputs)", wants: "1 to 64 channels, such as 2")
    }
    return AudioFormat(sampleRate: sampleRate, blockFrames: blockFrames, inputs: inputs, outputs: outputs)
  }
}
