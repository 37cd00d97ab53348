/// An event of the sound during play.
public enum AudioEvent: Sendable, Equatable {
  /// The device underran or overran, or the machine slept: this number of frames was lost. It plays on.
  case xrun(lostFrames: Int)
  /// The device was lost. The program plays on in silence and returns to the device when it is back.
  case deviceLost(name: String)
  /// The lost device, or a card after there was none, plays now.
  case deviceBack(name: String)
  /// The system has another default device, which plays now.
  case defaultChanged(name: String)
  /// A file can no longer be written; earlier sound is playable. The program plays on.
  case recordingEnded(reason: String)
}
