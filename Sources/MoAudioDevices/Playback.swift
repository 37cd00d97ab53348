import MoAudioEngine

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
