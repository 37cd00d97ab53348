import MoAudioEngine

/// A period of play, from `MoAudio.start` to `stop`.
package protocol Playback: AnyObject, Sendable {
  /// The renderer that calls the program.
  var renderer: BlockRenderer { get }
  /// The present device.
  var deviceName: String { get }
  /// The present format.
  var format: AudioFormat { get }
  /// The priority of the program's callback, and the source of that priority, in words.
  var rights: String { get }
  /// Rights that the system did not grant, with the commands to get them.
  var shortcomings: [String] { get }
  /// Fades out, stops, releases the device, and then returns.
  func stop()
}
