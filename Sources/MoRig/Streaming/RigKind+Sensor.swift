import MoCore
import MoOSC
import MoRuntime
import MoSensing

extension RigKind {
  /// The default address of the sensor's readings: the address that other programs of MoMu, and tapes, use.
  package var address: String { entry.address }

  /// Checks that a sensor accepts a source.
  ///
  /// - Throws: `SensorError.unknownSource`.
  package func check(_ source: String) throws(SensorError) { try entry.check(source) }

  /// The sources that a sensor of this kind can have here, devices and others.
  package var devices: [NamedDevice] { entry.devices() }

  /// Returns a sensor of this kind that no other part of the program reads.
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

  /// A kind of sensor, independent of the type of its readings.
  private struct Entry {
    let address: String
    let check: (String) throws(SensorError) -> Void
    let devices: () -> [NamedDevice]
    let sensor: (@escaping @Sendable ([OSCArgument], HostTime) -> Void) -> RigSensor

    /// - Parameters:
    ///   - kind: creates a new kind for each sensor, since a combined sensor is not shared.
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
  /// An orientation that is combined from sensors of its own, so that no other sensor depends on their sources.
  static var fused: SensorKind {
    .orientation(
      accel: AccelServer(), gyro: SensorServer(.gyro),
      magnet: SensorServer(.magnet))
  }
}

extension SensorKind<Heading> {
  /// A compass that is combined from sensors of its own, as in `fused`.
  static var fusedCompass: SensorKind {
    .compass(accel: AccelServer(), magnet: SensorServer(.magnet))
  }
}
