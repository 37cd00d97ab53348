import MoCore
import MoOSC
import MoRuntime
import MoSensing

/// A sensor of any kind, with readings as OSC arguments.
package struct RigSensor: Sendable {
  /// Starts to read the source, or to wait for its device; a nil source means the best device that is there.
  package let start: @Sendable (_ source: String?, _ run: Run) throws -> Void
  package let stop: @Sendable () -> Void
  /// Returns the name of the source that is read now; nil while the sensor waits for a device.
  package let source: @Sendable () -> String?
  /// Polls for a missing device; called on the thread `mo-input`, which reads the sensors.
  package let look: @Sendable () -> Void

  /// - Parameter take: called with the values and the time of each reading, on the thread `mo-input`.
  init<Reading>(
    _ kind: SensorKind<Reading>, _ take: @escaping @Sendable ([OSCArgument], HostTime) -> Void
  ) {
    let server = SensorServer<Reading>(kind)
    server.callbacks.add { take($0.arguments, $0.time) }
    start = { try server.start(source: $0, in: $1) }
    stop = { server.stop() }
    source = { server.intake.sourceName }
    look = { server.intake.look() }
  }
}

extension RigKind {
  /// The default OSC address of this kind's readings; other programs of MoMu, and tapes, also use this address.
  package var address: String { entry.address }

  /// Checks that a sensor accepts a source.
  ///
  /// - Throws: `SensorError.unknownSource`.
  package func check(_ source: String) throws(SensorError) { try entry.check(source) }

  /// The sources that a sensor of this kind can have on this machine: devices, and others such as simulations.
  package var devices: [NamedDevice] { entry.devices() }

  /// Returns a new sensor of this kind, which shares nothing with other sensors of the program.
  package func sensor(_ take: @escaping @Sendable ([OSCArgument], HostTime) -> Void) -> RigSensor {
    entry.sensor(take)
  }

  /// The properties of this kind of sensor: its default address, its sources, and the function that creates a sensor.
  private var entry: Entry {
    switch self {
    case .accel: Entry(.accel)
    case .gyro: Entry(.gyro)
    case .magnet: Entry(.magnet)
    case .orientation: Entry(.fused)
    case .compass: Entry(.fusedCompass)
    case .location: Entry(.location)
    case .touch: Entry(.touch)
    case .buttons: Entry(.buttons)
    case .sensor: Entry(.channels)
    case .text: Entry(.text)
    case .host: Entry(.host, at: "/momu/host")
    }
  }

  /// The functions of a kind of sensor, without the type of its readings.
  private struct Entry {
    let address: String
    let check: (String) throws(SensorError) -> Void
    let devices: () -> [NamedDevice]
    let sensor: (@escaping @Sendable ([OSCArgument], HostTime) -> Void) -> RigSensor

    /// - Parameters:
    ///   - kind: creates a new `SensorKind` for each sensor. So each combined sensor, such as a compass, has its own
    ///     accelerometer and magnetometer.
    ///   - address: the default address of the kind's readings.
    init<Reading>(
      _ kind: @autoclosure @escaping () -> SensorKind<Reading>, at address: String = Reading.address
    ) {
      self.address = address
      check = { source throws(SensorError) in try kind().check(source) }
      devices = { kind().devices() }
      sensor = { take in RigSensor(kind(), take) }
    }
  }
}

extension SensorKind<Orientation> {
  /// An orientation that is computed from an accelerometer, a gyroscope and a magnetometer of its own; no other sensor
  /// shares their sources.
  static var fused: SensorKind {
    .orientation(
      accel: AccelServer(), gyro: SensorServer(.gyro),
      magnet: SensorServer(.magnet))
  }
}

extension SensorKind<Heading> {
  /// A compass that is computed from an accelerometer and a magnetometer of its own; no other sensor shares their
  /// sources.
  static var fusedCompass: SensorKind {
    .compass(accel: AccelServer(), magnet: SensorServer(.magnet))
  }
}
