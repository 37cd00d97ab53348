import MoCore
import MoMu
import MoSessionCore

extension SessionGesture {
  /// Creates a gesture from a motion, a reading of the accelerometer.
  public init(_ motion: Motion) {
    self.init(activity: motion.activity, roll: motion.tilt.roll, pitch: motion.tilt.pitch)
  }
}

extension Motion {
  /// Creates the motion that a gesture describes, to play an instrument by the movement of another machine.
  ///
  /// The motion has only the orientation and the amount of movement, because a gesture does not contain single
  /// readings of the sensor.
  public init(_ gesture: SessionGesture, at time: HostTime) {
    let tilt = Tilt(pitch: gesture.pitch, roll: gesture.roll)
    let up = tilt.up
    // Activity is half the mean movement in g, energy the mean of its square.
    self.init(
      time: time, x: up.x, y: up.y, z: up.z, tilt: tilt,
      activity: gesture.activity, energy: 4 * gesture.activity * gesture.activity)
  }
}
