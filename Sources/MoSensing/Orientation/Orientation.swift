import Glibc
import MoCore
import MoDSPCore
import MoOSC

/// The orientation of the device: the rotation from the device's axes to the world's axes (x north, y west, z up).
///
/// - Thread: any; a plain value.
/// - Real-time safe: yes.
public struct Orientation: SensorReading {
  /// The OSC address on tapes and in the network; its arguments `,ffff` are the quaternion w x y z.
  public static let address = "/momu/orientation"

  /// The time of the gyroscope's measurement from which the orientation follows.
  public var time: HostTime

  /// The real part of the quaternion: the cosine of half the angle of rotation.
  public var w: Float
  /// The quaternion's component along the axis to the north.
  public var x: Float
  /// The quaternion's component along the axis to the west.
  public var y: Float
  /// The quaternion's component along the upward axis.
  public var z: Float

  /// Creates an orientation from a quaternion of length 1; by default, the device is flat, its top edge to the west.
  public init(time: HostTime, w: Float = 1, x: Float = 0, y: Float = 0, z: Float = 0) {
    self.time = time
    self.w = w
    self.x = x
    self.y = y
    self.z = z
  }

  /// The value before the first measurement: `ahead`.
  public static var initial: Orientation { .ahead }

  /// The orientation before the first reading: flat, the top edge to the north, with the time `HostTime.zero`.
  public static var ahead: Orientation {
    Orientation(time: .zero, w: Float(0.5).squareRoot(), z: -Float(0.5).squareRoot())
  }

  /// The heading of the device's top edge (its y axis), in degrees clockwise from north, 0 … 360.
  ///
  /// Without a calibrated magnetometer, the heading is counted from the direction at the start. It has no meaning while
  /// the top edge points up or down.
  public var heading: Float {
    let west = 1 - 2 * (x * x + z * z)
    let north = 2 * (x * y - w * z)
    let angle = atan2f(-west, north)
    return Heading.wrapped(angle * 180 / .pi)
  }

  /// The tilt, as in `Motion.tilt`.
  public var tilt: Motion.Tilt { Motion.Tilt(up: up) }

  /// The tilt back and forth in degrees, −90 … 90: positive if the top edge is raised, as in `Motion.Tilt`.
  public var pitch: Float { tilt.pitch }

  /// The sideways tilt in degrees, −180 … 180: positive to the right, as in `Motion.Tilt`.
  public var roll: Float { tilt.roll }

  /// The upward direction in the device's axes: the reading in g that the device's accelerometer would have at rest.
  public var up: SIMD3<Float> {
    SIMD3(2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y))
  }

  /// Creates the reading from OSC arguments of types `,ffff`; nil if they are not a rotation.
  public init?(time: HostTime, arguments: [OSCArgument]) {
    guard let part = OSCArgument.finite(arguments, count: 4) else { return nil }
    let length = (part[0] * part[0] + part[1] * part[1] + part[2] * part[2] + part[3] * part[3]).squareRoot()
    guard length > 0.5, length < 2 else { return nil }
    self.init(
      time: time, w: part[0] / length, x: part[1] / length, y: part[2] / length, z: part[3] / length)
  }

  /// The reading as OSC arguments of types `,ffff`.
  public var arguments: [OSCArgument] { [.float(w), .float(x), .float(y), .float(z)] }
}
