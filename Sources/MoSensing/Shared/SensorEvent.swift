/// A change of a sensor's source: it is in use, it is lost, or its recording has ended.
public enum SensorEvent: Sendable, Equatable {
  /// This source is read from now on.
  case using(name: String)
  /// This source disappeared or failed, with the reason.
  case lost(name: String, reason: String)
  /// Recording to the tape has ended early; the recorded part can be played.
  case recordingEnded(reason: String)
}
