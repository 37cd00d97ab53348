import CEvdev
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
    option: "gyro", noun: "a gyroscope", doctorWord: "gyroscope",
    curves: .values("x", "y", "z", unit: "rad/s"),
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

/// Gyroscopes in the kernel's input system: those of game controllers.
enum EvdevGyroscope {
  static let row: SensorRow<Rotation> = EvdevList.row(where: \.isGyroscope) { path, opening in
    let device = try EvdevDevice(path: path, for: opening)
    guard let (axes, scale) = layout(of: device) else {
      throw SensorError.wrongDevice(path: path, noun: opening.noun, advice: opening.advice())
    }
    let frame = EvdevFrame(title: device.title)
    return EvdevTriple(device, axes: axes, scale: scale, deliver: opening.deliver) {
      Rotation(time: $0, axes: frame.turned($1))
    }
  }

  /// Returns a device's axes and, for each axis, the speed in rad/s of a raw value of 1; nil if it is not a gyroscope.
  private static func layout(of device: EvdevDevice) -> (axes: [Int32], scale: SIMD3<Float>)? {
    let axes = [ABS_RX, ABS_RY, ABS_RZ]
    guard axes.allSatisfy({ device.has(EV_ABS, $0) }) else { return nil }
    let degree = Float.pi / 180
    if device.has(property: INPUT_PROP_ACCELEROMETER) {
      // For such a device the kernel defines the resolution as units per degree per second (linux/input.h).
      return (axes, SIMD3(axes.map { degree / Float(max(1, device.axis($0)?.resolution ?? 1)) }))
    }
    guard EvdevTraits.isMotionPlus(device.title) else { return nil }
    // hid-wiimote gives neither the property nor a resolution: yaw, roll, pitch, each 8192 · 9 / 440 counts per degree
    // per second.
    return (axes, SIMD3(repeating: degree * 440 / (8192 * 9)))
  }
}

extension EvdevTraits {
  /// Whether the device has axes of rotation, and a property or the device's name shows that it measures movement.
  package var isGyroscope: Bool {
    (has(property: INPUT_PROP_ACCELEROMETER) || EvdevTraits.isMotionPlus(title)) && has(axis: ABS_RX)
  }

  /// Returns whether `title` is the name that the driver hid-wiimote gives to the gyroscope of a Wii remote.
  ///
  /// The gyroscope may be built in or plugged in.
  static func isMotionPlus(_ title: String) -> Bool { title.hasSuffix(" Remote Motion Plus") }
}
