import MoCore
import MoRuntime

/// The orientation of the device, from the gyroscope, the accelerometer and, if present, the magnetometer.
///
/// ```swift
/// try MoOrientation.addCallback { held in pan.value = held.roll / 180 }
/// ```
///
/// It starts `MoAccel` and `MoGyro`, each with the source of its own option, and `MoMagnet` if a device exists. If
/// one of these sensors disappears, its last reading is no longer used. Without an accelerometer, the orientation
/// follows the stand-in of `MoAccel`: the terminal's keys or a simulated player. So set `--accel` in this case.
///
/// The magnetometer is used only when it is calibrated, as for `MoCompass`: turn the device about all its axes.
///
/// Its sources are `fused`, `net` and `tape:FILE`; no option selects them, so pass the source to `start`.
public enum MoOrientation: SensorFace {
  /// The server that opens the sensor, and delivers its readings to callbacks.
  public static let server = SensorServer<Orientation>(
    .orientation(accel: .shared, gyro: MoGyro.server, magnet: MoMagnet.calibrated))
}

extension SensorKind<Orientation> {
  /// Returns the orientation as a kind of sensor with sensors of its own, which it starts and stops.
  ///
  /// The sensors share their sources with no other sensor.
  package static func orientation() -> SensorKind {
    orientation(
      accel: AccelServer(), gyro: SensorServer(.gyro), magnet: CalibratedMagnet(SensorServer(.magnet)),
      ownsParts: true)
  }

  /// Returns the orientation as a kind of sensor that starts the given sensors.
  ///
  /// - Parameter ownsParts: whether the sensors stop with the orientation; false if the program uses them for itself,
  ///   too.
  package static func orientation(
    accel: AccelServer, gyro: SensorServer<Rotation>, magnet: CalibratedMagnet, ownsParts: Bool = false
  ) -> SensorKind {
    let fused: @Sendable (SensorOpenContext<Orientation>) throws -> OpenSource = {
      try FusedOrientation.open($0, accel, gyro, magnet, ownsParts: ownsParts)
    }
    var kind = SensorKind(
      option: "MoOrientation", noun: "an orientation", usual: "fused", needs: [AnySensorKind(.gyro)],
      nature: .directions,
      curves: .values("w", "x", "y", "z", unit: "quaternion"),
      rows: [
        SensorRow(
          "fused", forms: ["fused"], worksOffline: true,
          devices: {
            [NamedDevice(name: "fused", about: "the device's own sensors together", isReal: false)]
          },
          open: { detail, opening in detail == nil ? try fused(opening) : nil }),
        NetReadings.row(), TapeSource.row,
      ],
      standIn: { opening, _ in try fused(opening) })
    kind.mainPartEvents = gyro.sensorInput.events
    return kind
  }
}

/// A source that delivers an orientation for each reading of the gyroscope.
final class FusedOrientation: EventTimer {
  let name = "fused"
  // Its readings come with the gyroscope's.
  let nextTime: HostTime? = nil
  private let tokens: [MoToken]

  private struct State {
    var filter = OrientationFilter()
    var acceleration: SIMD3<Float>?
    var field: SIMD3<Float>?
  }

  /// Starts the sensors, and opens the source that combines them.
  ///
  /// - Throws: `SensorError` if one of the sensors cannot be read.
  static func open(
    _ opening: SensorOpenContext<Orientation>, _ accel: AccelServer, _ gyro: SensorServer<Rotation>,
    _ magnet: CalibratedMagnet, ownsParts: Bool
  ) throws -> OpenSource {
    let source = FusedOrientation(opening, accel, gyro, magnet)
    let end: @Sendable () -> Void = { [tokens = source.tokens] in
      for token in tokens { token.cancel() }
      guard ownsParts else { return }
      for stop in [accel.stop, gyro.stop, magnet.server.stop] { stop() }
    }
    let input = magnet.server.sensorInput
    do {
      try accel.start(source: nil, in: opening.run)
      try gyro.start(source: nil, in: opening.run)
      // A run that waits for devices waits for this one too: at boot it may appear late.
      if opening.run.waitsForDevices || input.kind.rows.contains(where: { $0.hasDevice }) {
        try magnet.server.start(source: nil, in: opening.run)
      }
    } catch {
      end()
      throw error
    }
    // The readings come with the gyroscope's.
    return OpenSource(
      source,
      close: {
        end()
        magnet.save()
      },
      hasDevice: { gyro.sensorInput.deviceName != nil },
      problem: { gyro.sensorInput.problem ?? accel.problem ?? input.problem })
  }

  private init(
    _ opening: SensorOpenContext<Orientation>, _ accel: AccelServer, _ gyro: SensorServer<Rotation>,
    _ magnet: CalibratedMagnet
  ) {
    let state = Locked(State())
    let (deliver, run) = (opening.deliver, opening.run)
    tokens = [
      accel.callbacks.add { motion in
        state.withLock { $0.acceleration = SIMD3(motion.x, motion.y, motion.z) }
      },
      accel.events.add { event in
        if case .lost = event { state.withLock { $0.acceleration = nil } }
      },
      magnet.server.callbacks.add { field in
        let corrected = magnet.correct(field, in: run)
        state.withLock { $0.field = Self.usable(corrected) }
      },
      magnet.server.sensorInput.events.add { event in
        if case .lost = event { state.withLock { $0.field = nil } }
      },
      gyro.callbacks.add { rotation in
        let held = state.withLock { state -> Orientation? in
          state.filter.update(rotation, acceleration: state.acceleration, field: state.field)
        }
        if let held { deliver(held) }
      },
    ]
  }

  func service(until now: HostTime) {}

  /// The largest uncertainty of the magnetic field, in µT, with which it corrects the heading.
  ///
  /// In central Europe, an error of 5 µT turns the heading by 14°.
  private static let largestDoubt = 5.0

  /// Returns the earth's field if it is known well enough to correct the heading.
  ///
  /// The device's own field is often larger than the earth's, and would turn the heading to a wrong direction.
  /// A simulated magnetometer never moves, so it is never calibrated.
  private static func usable(_ field: CorrectedField) -> SIMD3<Float>? {
    field.doubt.flatMap { $0 <= largestDoubt ? SIMD3<Float>(field.earth) : nil }
  }
}
