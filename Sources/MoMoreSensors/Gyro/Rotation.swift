import MoSensors
import MoTime

/// One reading of a gyroscope: how fast the device turns.
///
/// - Thread: any; it is a plain value.
/// - Real-time safe: yes.
public struct Rotation: AxesReading {
  /// On tapes and in the network: `,fff`, x y z in rad/s.
  public static let address = "/momu/gyro"

  /// When the sensor measured it.
  public var time: HostTime

  /// About the device's x axis in rad/s: positive anticlockwise, seen from where the axis points.
  public var x: Float

  /// About the device's y axis in rad/s.
  public var y: Float

  /// About the device's z axis in rad/s: lying flat, positive when the device is turned anticlockwise.
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
