import MoMoreSensors
import MoOSC
import MoProgram
import MoSensors
import MoTime

extension RigKind {
  /// Where its readings go unless told otherwise: where other programs of MoMu's, and tapes, have them.
  package var address: String {
    switch self {
    case .accel: AccelReading.address
    case .gyro: Rotation.address
    case .magnet: Field.address
    case .orientation: Orientation.address
    case .compass: Heading.address
    case .location: Fix.address
    case .touch: Touch.address
    case .buttons: Button.address
    case .sensor: ChannelReading.address
    }
  }

  /// Sees whether a source is one that the sensor takes.
  ///
  /// - Throws: `SensorError.unknownSource`.
  package func check(_ source: String) throws(SensorError) {
    switch self {
    case .accel: try SensorKind.accel.check(source)
    case .gyro: try SensorKind.gyro.check(source)
    case .magnet: try SensorKind.magnet.check(source)
    case .orientation: try SensorKind<Orientation>.fused.check(source)
    case .compass: try SensorKind<Heading>.fusedCompass.check(source)
    case .location: try SensorKind.location.check(source)
    case .touch: try SensorKind.touch.check(source)
    case .buttons: try SensorKind.buttons.check(source)
    case .sensor: try SensorKind.channels.check(source)
    }
  }

  /// What its source can be here, devices and others.
  package var devices: [NamedDevice] {
    switch self {
    case .accel: SensorKind.accel.devices()
    case .gyro: SensorKind.gyro.devices()
    case .magnet: SensorKind.magnet.devices()
    case .orientation: SensorKind<Orientation>.fused.devices()
    case .compass: SensorKind<Heading>.fusedCompass.devices()
    case .location: SensorKind.location.devices()
    case .touch: SensorKind.touch.devices()
    case .buttons: SensorKind.buttons.devices()
    case .sensor: SensorKind.channels.devices()
    }
  }

  /// A sensor of the kind, and nobody else's.
  package func sensor(_ take: @escaping @Sendable ([OSCArgument], HostTime) -> Void) -> RigSensor {
    switch self {
    case .accel: RigSensor(.accel, first: AccelReading(time: .zero, x: 0, y: 0, z: 1), take)
    case .gyro: RigSensor(.gyro, first: Rotation(time: .zero, x: 0, y: 0, z: 0), take)
    case .magnet: RigSensor(.magnet, first: Field(time: .zero, x: 0, y: 0, z: 0), take)
    case .orientation: RigSensor(SensorKind<Orientation>.fused, first: Orientation.ahead, take)
    case .compass:
      RigSensor(
        SensorKind<Heading>.fusedCompass, first: Heading(time: .zero, magnetic: 0, accuracy: 180), take)
    case .location: RigSensor(.location, first: Fix.unknown, take)
    case .touch: RigSensor(.touch, first: Touch(time: .zero, id: 0, phase: .cancelled, x: 0, y: 0), take)
    case .buttons: RigSensor(.buttons, first: Button(time: .zero, code: 0, isPressed: false), take)
    case .sensor:
      RigSensor(
        .channels, first: ChannelReading(time: .zero, channel: ChannelName(""), value: 0), take)
    }
  }
}

extension SensorKind<Orientation> {
  /// Put together of sensors that are this one's alone, so that none of them is anybody else's choice.
  static var fused: SensorKind {
    .orientation(
      accel: AccelServer(), gyro: SensorServer(.gyro, first: Rotation(time: .zero, x: 0, y: 0, z: 0)),
      magnet: SensorServer(.magnet, first: Field(time: .zero, x: 0, y: 0, z: 0)))
  }
}

extension SensorKind<Heading> {
  /// As an orientation's.
  static var fusedCompass: SensorKind {
    .compass(accel: AccelServer(), magnet: SensorServer(.magnet, first: Field(time: .zero, x: 0, y: 0, z: 0)))
  }
}
