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

  /// The properties of each kind, a line each.
  private var entry: Entry {
    switch self {
    case .accel: Entry(.accel, first: AccelReading(time: .zero, x: 0, y: 0, z: 1))
    case .gyro: Entry(.gyro, first: Rotation(time: .zero, x: 0, y: 0, z: 0))
    case .magnet: Entry(.magnet, first: Field(time: .zero, x: 0, y: 0, z: 0))
    case .orientation: Entry(.fused, first: Orientation.ahead)
    case .compass: Entry(.fusedCompass, first: Heading(time: .zero, magnetic: 0, accuracy: 180))
    case .location: Entry(.location, first: Fix.unknown)
    case .touch: Entry(.touch, first: Touch(time: .zero, id: 0, phase: .cancelled, x: 0, y: 0))
    case .buttons: Entry(.buttons, first: Button(time: .zero, code: 0, isPressed: false))
    case .sensor: Entry(.channels, first: ChannelReading(time: .zero, channel: ChannelName(""), value: 0))
    case .text: Entry(.text, first: TextLine(time: .zero, utf8: "".utf8))
    case .host:
      Entry(.host, at: "/momu/host", first: ChannelReading(time: .zero, channel: ChannelName(""), value: 0))
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
    ///   - first: the values before the first reading.
    init<Reading>(
      _ kind: @autoclosure @escaping () -> SensorKind<Reading>, at address: String = Reading.address,
      first: Reading
    ) {
      self.address = address
      check = { source throws(SensorError) in try kind().check(source) }
      devices = { kind().devices() }
      sensor = { take in RigSensor(kind(), first: first, take) }
    }
  }
}

extension SensorKind<Orientation> {
  /// A sensor combined from separate sensors, so that no other sensor depends on their choice.
  static var fused: SensorKind {
    .orientation(
      accel: AccelServer(), gyro: SensorServer(.gyro, first: Rotation(time: .zero, x: 0, y: 0, z: 0)),
      magnet: SensorServer(.magnet, first: Field(time: .zero, x: 0, y: 0, z: 0)))
  }
}

extension SensorKind<Heading> {
  /// Like the arguments of an orientation.
  static var fusedCompass: SensorKind {
    .compass(accel: AccelServer(), magnet: SensorServer(.magnet, first: Field(time: .zero, x: 0, y: 0, z: 0)))
  }
}
