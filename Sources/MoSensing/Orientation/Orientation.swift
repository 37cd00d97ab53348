import Glibc
import MoCore
import MoDSPCore
import MoOSC

/// How the device is held: the turn from its own axes to the world's, x to the north, y to the west, z up.
///
/// - Thread: any; it is a plain value.
/// - Real-time safe: yes.
public struct Orientation: SensorReading {
  /// On tapes and in the network: `,ffff`, the quaternion w x y z.
  public static let address = "/momu/orientation"

  /// When the gyroscope that it follows measured.
  public var time: HostTime

  /// The quaternion's real part.
  public var w: Float
  /// The quaternion's part along the north.
  public var x: Float
  /// The quaternion's part along the west.
  public var y: Float
  /// The quaternion's part upwards.
  public var z: Float

  /// Given by a quaternion of length 1; lying flat, its top to the west, where that is left out.
  public init(time: HostTime, w: Float = 1, x: Float = 0, y: Float = 0, z: Float = 0) {
    self.time = time
    self.w = w
    self.x = x
    self.y = y
    self.z = z
  }

  /// Lying flat, its top to the north, at the clock's zero: what is known before the first reading.
  public static var ahead: Orientation {
    Orientation(time: .zero, w: Float(0.5).squareRoot(), z: -Float(0.5).squareRoot())
  }

  /// Where the device's top (its y axis) points, in degrees clockwise from the north, 0 … 360.
  ///
  /// Without a magnetometer, clockwise from where it pointed at first. Meaningless while the top points up or down.
  public var heading: Float {
    let west = 1 - 2 * (x * x + z * z)
    let north = 2 * (x * y - w * z)
    let angle = atan2f(-west, north)
    return Heading.wrapped(angle * 180 / .pi)
  }

  /// How it is tipped, as `Motion.tilt` says it.
  public var tilt: Motion.Tilt { Motion.Tilt(up: up) }

  /// Forth and back, in degrees, −90 … 90: positive with the top edge up, as `Motion.Tilt`.
  public var pitch: Float { tilt.pitch }

  /// To the sides, in degrees, −180 … 180: positive tipped to the right, as `Motion.Tilt`.
  public var roll: Float { tilt.roll }

  /// Upwards, in the device's axes: what its accelerometer reads at rest.
  public var up: SIMD3<Float> {
    SIMD3(2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y))
  }

  /// The reading that `,ffff` says; nil for what is no turn.
  public init?(time: HostTime, arguments: [OSCArgument]) {
    guard let part = OSCArgument.finite(arguments, count: 4) else { return nil }
    let length = (part[0] * part[0] + part[1] * part[1] + part[2] * part[2] + part[3] * part[3]).squareRoot()
    guard length > 0.5, length < 2 else { return nil }
    self.init(
      time: time, w: part[0] / length, x: part[1] / length, y: part[2] / length, z: part[3] / length)
  }

  /// As `,ffff`.
  public var arguments: [OSCArgument] { [.float(w), .float(x), .float(y), .float(z)] }
}
