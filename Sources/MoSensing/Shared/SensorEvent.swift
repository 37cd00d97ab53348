/// Something that happened to the source of a sensor's readings.
public enum SensorEvent: Sendable, Equatable {
  /// This source is read from now on.
  case using(name: String)
  /// This source went away or failed, for this reason.
  case lost(name: String, reason: String)
  /// Recording the tape has ended early; what was recorded can be played.
  case recordingEnded(reason: String)
}
