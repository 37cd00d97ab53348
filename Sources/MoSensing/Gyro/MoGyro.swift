import Glibc
import MoCore
import MoRuntime

/// The gyroscope: the speed of the device's rotation.
///
/// ```swift
/// try MoGyro.addCallback { rotation in vibrato.value = abs(rotation.z) / 10 }
/// ```
///
/// The option `--gyro` selects the source: `evdev:PATH` (game controllers, the Wii's Motion Plus), `iio:N`
/// (convertible laptops, boards), `net`, `sim:turn`, `sim:tilt`, `sim:still` or `tape:FILE`.
public enum MoGyro: SensorFace {
  /// The server that opens the sensor, and delivers its readings to callbacks.
  public static let server = SensorServer<Rotation>(.gyro)
}

extension SensorKind<Rotation> {
  package static let gyro = SensorKind(
    option: "gyro", noun: "a gyroscope",
    rows: [
      EvdevGyroscope.row,
      // Already in rad/s.
      IIOList.row(channel: "anglvel", make: Rotation.init(time:axes:)),
      // The gyroscopes of Sensors2OSC and ZIG SIM, in rad/s too.
      NetReadings.row(["/gyroscope", "/ZIGSIM/*/gyro"]),
      SimulatedGyro.row, TapeSource.row,
    ],
    standIn: standIn(missing: "gyroscope", does: "turns") { SimulatedGyro.source(.turn, $0) })
}

/// A simulated player that turns or tilts the device.
enum SimulatedGyro: String {
  /// The movements: the device lies still, turns to and fro on the table, or tilts as in the accelerometer's
  /// `sim:tilt`.
  case still, turn, tilt

  func rotation(at seconds: Double, _ time: HostTime) -> Rotation {
    // The rate of 45° · sin(2πt / 8); below, the same with a period of six seconds.
    let rate = Float(cos(2 * .pi * seconds / 8) * .pi / 4 * 2 * .pi / 8)
    switch self {
    case .still: return Rotation(time: time, x: 0, y: 0, z: 0)
    case .turn: return Rotation(time: time, x: 0, y: 0, z: rate)
    case .tilt:
      // The top edge rises at the first rate while the device rolls to its right at the second. These are the rates
      // about the device's own axes of a rotation about x that carries a rotation about y.
      let roll = Float(sin(2 * .pi * seconds / 6) * .pi / 4)
      let rolling = Float(cos(2 * .pi * seconds / 6) * .pi / 4 * 2 * .pi / 6)
      return Rotation(time: time, x: rate * cos(roll), y: rolling, z: rate * sin(roll))
    }
  }

  static let row = SensorRow<Rotation>(
    "sim", forms: ["sim:still", "sim:turn", "sim:tilt"], worksOffline: true,
    devices: {
      [
        NamedDevice(name: "sim:turn", about: "a simulated player that turns to and fro", isReal: false),
        NamedDevice(name: "sim:tilt", about: "a simulated player that tilts", isReal: false),
        NamedDevice(name: "sim:still", about: "a device that lies still", isReal: false),
      ]
    },
    open: { name, opening in SimulatedGyro(rawValue: name ?? "").map { OpenSource(source($0, opening)) } })

  static func source(_ player: SimulatedGyro, _ opening: SensorOpenContext<Rotation>) -> any EventSource {
    SimulatedSource(player.rawValue, start: opening.run.clock.now, deliver: opening.deliver) {
      [player.rotation(at: $0, $1)]
    }
  }
}
