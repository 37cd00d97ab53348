import MoCore
import MoRuntime
import Synchronization

/// The compass: the heading of the device's top edge, in any tilt.
///
/// ```swift
/// MoCompass.setDeclination(latitude: 48.2, longitude: 16.4, year: 2026.9)
/// try MoCompass.addCallback { heading in pan.value = heading.magneticHeading / 180 - 1 }
/// ```
///
/// The compass subtracts the device's own field from the readings of `MoMagnet`, and finds the horizontal plane by
/// `MoAccel`. It learns the device's own field while you turn the device about all its axes, and stores the field for
/// each device. The option `--compass` selects the source: `fused`, `keys`, `net`, `sim:turn` or `tape:FILE`.
public enum MoCompass: SensorFace {
  /// The server that opens the sensor, and delivers its readings to callbacks.
  public static let server = SensorServer<Heading>(
    .compass(accel: .shared, magnet: MoMagnet.calibrated))

  /// The declination, which is NaN if it is not set, and the offset, both in degrees.
  private static let settings = Settings()

  private final class Settings: Sendable {
    let declination = Atomic<UInt32>(Float.nan.bitPattern)
    let offset = Atomic<UInt32>(Float(0).bitPattern)

    func apply(_ heading: Heading) -> Heading {
      let declination = Float(bitPattern: declination.load(ordering: .relaxed))
      let offset = Float(bitPattern: offset.load(ordering: .relaxed))
      return heading.turned(by: offset, declination: declination.isFinite ? declination : nil)
    }
  }

  /// Calls `callback` with every heading, at most once per `updateInterval`.
  ///
  /// - Returns: a token whose `cancel()` stops the calls.
  /// - Throws: `SensorError` if the source cannot be opened; `NetError` for the source `net`.
  /// - Thread: the callback runs on `mo-input`; in an offline run, on the main thread; for `update`, on its caller's
  ///   thread.
  @discardableResult
  public static func addCallback(_ callback: @escaping @Sendable (Heading) -> Void) throws -> MoToken {
    let token = server.callbacks.add { callback(settings.apply($0)) }
    do {
      try start()
    } catch {
      token.cancel()
      throw error
    }
    return token
  }

  /// The latest heading; all its values are from one moment.
  ///
  /// - Real-time safe: yes, after the sensor has been used outside the callback.
  public static var reading: Heading { settings.apply(server.latest.load()) }

  /// The declination at this place: degrees from true north to magnetic north, positive to the east; nil if unknown.
  public static var declination: Float? {
    get {
      let value = Float(bitPattern: settings.declination.load(ordering: .relaxed))
      return value.isFinite ? value : nil
    }
    set { settings.declination.store((newValue ?? .nan).bitPattern, ordering: .relaxed) }
  }

  /// Sets the declination from the place on the earth, such as a fix of `MoLocation`.
  ///
  /// - Parameters:
  ///   - latitude: degrees north, -90…90.
  ///   - longitude: degrees east, -180…180.
  ///   - altitude: metres above the sea.
  ///   - year: the year and its fraction, such as 2026.89.
  public static func setDeclination(latitude: Double, longitude: Double, altitude: Double = 0, year: Double) {
    declination = Float(
      EarthField.declination(latitude: latitude, longitude: longitude, altitude: altitude, year: year))
  }

  /// Makes the present direction the zero of the magnetic heading from now on.
  ///
  /// The same angle is subtracted from the true heading.
  public static func setOffset() {
    let heading = server.latest.load().magneticHeading
    settings.offset.store(heading.bitPattern, ordering: .relaxed)
  }

  /// Ends the effect of `setOffset()`: headings count from north again.
  public static func clearOffset() { settings.offset.store(Float(0).bitPattern, ordering: .relaxed) }

  /// The angle in degrees that is subtracted from the headings: 0, or the angle that `setOffset()` has set.
  public static var offset: Float { Float(bitPattern: settings.offset.load(ordering: .relaxed)) }
}

extension SensorKind<Heading> {
  /// Returns the compass as a kind of sensor with sensors of its own, which it starts and stops.
  ///
  /// The sensors share their sources with no other sensor.
  package static func compass() -> SensorKind {
    compass(accel: AccelServer(), magnet: CalibratedMagnet(SensorServer(.magnet)), ownsParts: true)
  }

  /// Returns the compass as a kind of sensor that starts the given sensors.
  ///
  /// - Parameter ownsParts: whether the sensors stop with the compass; false if the program uses them for itself, too.
  package static func compass(
    accel: AccelServer, magnet: CalibratedMagnet, ownsParts: Bool = false
  ) -> SensorKind {
    let magnets = magnet.server.sensorInput.kind.rows
    var kind = SensorKind(
      option: "compass", noun: "a compass", usual: "fused", needs: [AnySensorKind(.magnet)],
      nature: .directions,
      curves: .values("magnetic", "true", unit: "°"),
      rows: [
        // Its device is the magnetometer, so the compass is read when a magnetometer appears.
        SensorRow(
          "fused", forms: ["fused"], folder: magnets.lazy.compactMap(\.folder).first, worksOffline: true,
          devices: {
            [
              NamedDevice(
                name: "fused", about: "magnetometer and accelerometer together", isReal: false,
                isOpen: magnets.contains { $0.hasDevice })
            ]
          },
          open: { detail, opening in
            detail == nil ? try FusedCompass.open(opening, accel, magnet, ownsParts: ownsParts) : nil
          }),
        KeyedSource.row("the terminal's keys: arrows turn", isFirst: true) { KeyedHeading() },
        NetReadings.row(), .simulated("turn", "a device that turns once in ten seconds", turn),
        TapeSource.row,
      ],
      standIn: { opening, _ in
        // If there is a magnetometer, an error has prevented `fused`: opening it again throws this error.
        if !opening.run.isOffline, magnets.contains(where: { $0.hasDevice }) {
          return try FusedCompass.open(opening, accel, magnet, ownsParts: ownsParts)
        }
        let stand = standIn(
          missing: "magnetometer", does: "turns once in ten seconds",
          keys: KeyedSource.standIn("the arrows turn", isFirst: true) { KeyedHeading() }, turn)
        // `fused` is closed only if there is no magnetometer.
        return try stand(opening, nil)
      })
    kind.mainPartEvents = magnet.server.sensorInput.events
    return kind
  }

  private static let turn: @Sendable (SensorOpenContext<Heading>) -> any EventSource = { opening in
    SimulatedSource("turn", start: opening.run.clock.now, rate: 50, deliver: opening.deliver) {
      [Heading(time: $1, magnetic: Float(($0 * 36).truncatingRemainder(dividingBy: 360)), accuracy: 2)]
    }
  }
}
