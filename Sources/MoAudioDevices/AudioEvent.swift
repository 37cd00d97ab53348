/// Something that happened to the sound while it played.
public enum AudioEvent: Sendable, Equatable {
  /// The device ran dry, or the machine slept: so many frames were not heard. It plays on.
  case xrun(lostFrames: Int)
  /// The device went away. The program plays on in silence and returns to it when it comes back.
  case deviceLost(name: String)
  /// The device that was lost, or a card where there was none, plays now.
  case deviceBack(name: String)
  /// The system's default device is another one now, and plays.
  case defaultChanged(name: String)
  /// A file could be written no more; what was written can be played. The program plays on.
  case recordingEnded(reason: String)
}
