import MoCore
import MoRuntime

/// The magnetometer: the magnetic field at the device, as its driver reports it, not calibrated.
///
/// Its sources are `iio:N`, `net`, `sim:north` and `tape:FILE`; no option selects them, so pass the source to `start`.
public enum MoMagnet: SensorFace {
  /// The server that opens the sensor, and delivers its readings to callbacks.
  public static let server = SensorServer<Field>(.magnet)

  /// The calibration that `MoCompass` and `MoOrientation` share.
  static let calibrated = CalibratedMagnet(server)
}

/// A reading of a magnetometer.
///
/// - Thread: any; a plain value.
/// - Real-time safe: yes.
public struct Field: AxesReading {
  /// The OSC address on tapes and in the network; its arguments `,fff` are x y z in µT.
  public static let address = "/momu/magnet"

  /// The value before the first measurement: no field.
  public static var initial: Self { Self(time: .zero, x: 0, y: 0, z: 0) }

  /// The time of the measurement.
  public var time: HostTime
  /// The field along the device's x axis, in µT; the earth's field is 25 to 65 µT strong.
  public var x: Float
  /// The field along the device's y axis, in µT.
  public var y: Float
  /// The field along the device's z axis, in µT.
  public var z: Float

  /// Creates a reading from its values.
  public init(time: HostTime, x: Float, y: Float, z: Float) {
    self.time = time
    self.x = x
    self.y = y
    self.z = z
  }
}

extension SensorKind<Field> {
  package static let magnet = SensorKind(
    option: "MoMagnet", noun: "a magnetometer", doctorWord: "magnetometer",
    curves: .values("x", "y", "z", unit: "µT"),
    rows: [
      // In gauss; 1 gauss is 100 µT.
      IIOList.row(channel: "magn") { Field(time: $0, axes: $1 * 100) },
      // Sensors2OSC, in µT.
      NetReadings.row(["/magneticfield"]),
      .simulated("north", "a device that lies flat, its top to the north", north), TapeSource.row,
    ],
    standIn: standIn(missing: "magnetometer", does: "points to the north", north))

  /// A simulated device in the field of central Europe: it lies flat, with the top edge to the north.
  private static let north: @Sendable (SensorOpenContext<Field>) -> any EventSource = { opening in
    SimulatedSource("north", start: opening.run.clock.now, rate: 50, deliver: opening.deliver) {
      [Field(time: $1, x: 0, y: 20, z: -44)]
    }
  }
}
