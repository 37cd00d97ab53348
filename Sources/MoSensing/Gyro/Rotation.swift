import MoCore

/// A reading of a gyroscope: the speed of the device's rotation.
///
/// The axes are those of `Motion`: x to the right, y to the top edge, z out of the face. Speeds are in rad/s, as in
/// every sensor, phone app and tape; angles are in degrees.
///
/// - Thread: any; a plain value.
/// - Real-time safe: yes.
public struct Rotation: AxesReading {
  /// The OSC address on tapes and in the network; its arguments `,fff` are x y z in rad/s.
  public static let address = "/momu/gyro"

  /// The value before the first measurement: no rotation.
  public static var initial: Self { Self(time: .zero, x: 0, y: 0, z: 0) }

  /// The time of the measurement.
  public var time: HostTime

  /// The speed about the device's x axis in rad/s: positive while the top edge rises, as `Motion.Tilt.pitch` grows.
  public var x: Float

  /// The speed about the device's y axis in rad/s: positive while the right edge sinks, as `Motion.Tilt.roll` grows.
  public var y: Float

  /// The speed about the device's z axis in rad/s: positive while the device turns to the left, anticlockwise from
  /// above.
  public var z: Float

  /// Creates a reading from its values.
  public init(time: HostTime, x: Float, y: Float, z: Float) {
    self.time = time
    self.x = x
    self.y = y
    self.z = z
  }

  /// The total speed of the rotation, whatever its axis, in rad/s: the length of the vector (x, y, z).
  public var speed: Float { (x * x + y * y + z * z).squareRoot() }

  /// The reading after the sensor has become silent: the device does not turn.
  public var atRest: Rotation? { Rotation(time: time, x: 0, y: 0, z: 0) }
}
