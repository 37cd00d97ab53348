import MoAudioEngine

/// One stretch of playing, from `MoAudio.start` to `stop`.
package protocol Playback: AnyObject, Sendable {
  /// What calls the program.
  var renderer: BlockRenderer { get }
  /// What it plays on.
  var deviceName: String { get }
  /// What it runs at.
  var format: AudioFormat { get }
  /// What the program's callback runs by: a priority, and whose leave.
  var rights: String { get }
  /// What the system did not grant, each with how to grant it.
  var shortcomings: [String] { get }
  /// Fades out, ends, lets go of the device, and returns when all is done.
  func stop()
}
