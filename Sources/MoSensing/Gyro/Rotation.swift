import MoCore

/// One reading of a gyroscope: how fast the device turns.
///
/// The axes are `Motion`'s: x to the right, y to the top edge, z out of the face. Speeds are in rad/s, as every sensor,
/// phone app and tape has them; angles are in degrees.
///
/// - Thread: any; it is a plain value.
/// - Real-time safe: yes.
public struct Rotation: AxesReading {
  /// On tapes and in the network: `,fff`, x y z in rad/s.
  public static let address = "/momu/gyro"

  /// When the sensor measured it.
  public var time: HostTime

  /// About the device's x axis in rad/s: positive while the top edge rises, as `Motion.Tilt.pitch` grows.
  public var x: Float

  /// About the device's y axis in rad/s: positive while the right edge sinks, as `Motion.Tilt.roll` grows.
  public var y: Float

  /// About the device's z axis in rad/s: positive while it is turned to the left, anticlockwise seen from above.
  public var z: Float

  /// A reading given by its values.
  public init(time: HostTime, x: Float, y: Float, z: Float) {
    self.time = time
    self.x = x
    self.y = y
    self.z = z
  }

  /// How fast it turns, about whatever axis, in rad/s.
  public var speed: Float { (x * x + y * y + z * z).squareRoot() }

  /// Turning no more.
  public var atRest: Rotation? { Rotation(time: time, x: 0, y: 0, z: 0) }
}
