import Glibc
import MoMu
import MoSessionCore
import MoTime

extension SessionGesture {
  /// How somebody moves, as its accelerometer says it.
  public init(_ motion: Motion) {
    let degrees = Float(180) / .pi
    self.init(
      activity: motion.activity, roll: motion.tilt.roll * degrees, pitch: 0 - motion.tilt.pitch * degrees)
  }
}

extension Motion {
  /// The movement that a gesture tells of, for what is played by moving on another machine.
  ///
  /// How it is held and how much it moves; what a single reading of the sensor was it does not tell.
  public init(_ gesture: SessionGesture, at time: HostTime) {
    let tilt = Tilt(pitch: 0 - gesture.pitch * .pi / 180, roll: gesture.roll * .pi / 180)
    let flat = cosf(tilt.pitch)
    // Activity is half the mean movement in g, energy the mean of its square.
    self.init(
      time: time, x: -sinf(tilt.pitch), y: flat * sinf(tilt.roll), z: flat * cosf(tilt.roll), tilt: tilt,
      activity: gesture.activity, energy: 4 * gesture.activity * gesture.activity)
  }
}
