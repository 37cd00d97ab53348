import MoCore
import MoMu
import MoSessionCore

extension SessionGesture {
  /// How somebody moves, as its accelerometer says it.
  public init(_ motion: Motion) {
    self.init(activity: motion.activity, roll: motion.tilt.roll, pitch: motion.tilt.pitch)
  }
}

extension Motion {
  /// The movement that a gesture tells of, for what is played by moving on another machine.
  ///
  /// How it is held and how much it moves; what a single reading of the sensor was it does not tell.
  public init(_ gesture: SessionGesture, at time: HostTime) {
    let tilt = Tilt(pitch: gesture.pitch, roll: gesture.roll)
    let up = tilt.up
    // Activity is half the mean movement in g, energy the mean of its square.
    self.init(
      time: time, x: up.x, y: up.y, z: up.z, tilt: tilt,
      activity: gesture.activity, energy: 4 * gesture.activity * gesture.activity)
  }
}
