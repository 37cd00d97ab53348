/// An event of the sound during play.
public enum AudioEvent: Sendable, Equatable {
  /// The device underran or overran, or the machine slept; this number of frames was lost.
  ///
  /// The device plays on.
  case xrun(lostFrames: Int)
  /// The device was lost. The program plays on in silence and returns to the device when it is back.
  case deviceLost(name: String)
  /// The lost device is back and plays now, or a card was found after there was none.
  case deviceBack(name: String)
  /// The system has another default device, which plays now.
  case defaultChanged(name: String)
  /// A file can no longer be written; earlier sound is playable. The program plays on.
  case recordingEnded(reason: String)
}
