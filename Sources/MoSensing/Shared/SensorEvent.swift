/// A change of a sensor: a source is in use, a source is lost, or the recording of its readings has ended early.
public enum SensorEvent: Sendable, Equatable {
  /// This source is read from now on.
  case using(name: String)
  /// This source disappeared or failed, with the reason.
  case lost(name: String, reason: String)
  /// Recording to the tape has ended early; the recorded part can be played.
  case recordingEnded(reason: String)
}
