/// An event of the sound device, or of a sound file that is being written, during play.
public enum AudioEvent: Sendable, Equatable {
  /// The device underran or overran, or the machine slept; `lostFrames` is the number of lost frames.
  ///
  /// The device continues to play.
  case xrun(lostFrames: Int)
  /// The device was lost. The program continues in silence, and plays on the device again when the device is back.
  case deviceLost(name: String)
  /// The lost device is back and plays now, or MoMu found a card after there was none.
  case deviceBack(name: String)
  /// The system's default device has changed; the new default device plays now.
  case defaultChanged(name: String)
  /// The file of the device `wav:FILE` can no longer be written; the sound in the file so far is playable.
  ///
  /// The program continues.
  case recordingEnded(reason: String)
}
