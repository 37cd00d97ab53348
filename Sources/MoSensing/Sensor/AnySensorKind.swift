import MoCore
import MoOSC
import MoRuntime

/// A kind of sensor without the type of its readings, for rigs and the tool `momu`.
package struct AnySensorKind: Hashable, Sendable {
  /// All kinds of sensors, in the order in which MoMu lists them.
  package static let all: [AnySensorKind] = [
    AnySensorKind(.accel),
    AnySensorKind(.gyro),
    AnySensorKind(.magnet),
    AnySensorKind(.orientation()),
    AnySensorKind(.compass()),
    AnySensorKind(.location),
    AnySensorKind(.touch),
    AnySensorKind(.buttons),
    AnySensorKind(.channels),
    AnySensorKind(.text),
    AnySensorKind(.host),
  ]

  /// The sensor's name in rigs and in the tool: its option, or the name of its type without `Mo`, such as `magnet`.
  package let name: String
  // For the next properties, see `SensorKind`.
  package let address: String
  package let doctorWord: String?
  package let choices: String?
  package let nature: ReadingNature
  package let curves: SensorCurves?

  /// Whether the sensor reads a device of its own.
  ///
  /// The other sensors combine the readings of accelerometer, gyroscope and magnetometer, get positions from gpsd, or
  /// describe the machine.
  package let isDevice: Bool
  /// The sensors without whose readings this sensor has no readings; empty for a sensor that combines no others.
  package let needs: [AnySensorKind]
  /// Whether the sensor's readings are single values with names.
  package let hasChannels: Bool
  /// Whether MoMu polls each device of Industrial I/O for this sensor, even if the device has a buffer.
  package let alwaysPolls: Bool
  /// Returns whether the sensor can read an input device with the given properties.
  package let readsInput: @Sendable (EvdevTraits) -> Bool
  /// Returns whether the sensor can read a device of Industrial I/O with the given attributes.
  package let readsChip: @Sendable (_ attributes: [String]) -> Bool
  /// Checks that the sensor accepts a source; throws `SensorError.unknownSource` if it does not.
  package let check: @Sendable (_ source: String) throws(SensorError) -> Void
  /// Returns the sources that the sensor can have on this machine: devices, and others such as simulations.
  package let devices: @Sendable () -> [NamedDevice]
  /// Creates a sensor; see `sensor(needing:lost:_:)`.
  private let make:
    @Sendable (_ need: ChannelNeed?, _ lost: @escaping @Sendable () -> Void, _ receive: @escaping Receiver) ->
      AnySensor

  /// A function that receives the values and the time of each reading, on the thread `mo-input`.
  package typealias Receiver = @Sendable ([OSCArgument], HostTime) -> Void

  /// - Parameter kind: creates a new `SensorKind` for each sensor. So each combined sensor, such as a compass, has its
  ///   own accelerometer and magnetometer.
  package init<Reading>(_ kind: @autoclosure @escaping @Sendable () -> SensorKind<Reading>) {
    let known = kind()
    name = known.option.hasPrefix("Mo") ? known.option.dropFirst(2).lowercased() : known.option
    (address, doctorWord, choices) = (known.address, known.doctorWord, known.choices)
    (nature, curves) = (known.nature, known.curves)
    isDevice = known.usual == nil
    needs = known.needs
    hasChannels = Reading.self == ChannelReading.self
    alwaysPolls = known.rows.contains { $0.alwaysPolls }
    readsInput = { traits in known.rows.contains { $0.readsInput?(traits) == true } }
    readsChip = { attributes in known.rows.contains { $0.readsChip?(attributes) == true } }
    check = { source throws(SensorError) in try known.check(source) }
    devices = { known.devices() }
    make = { need, lost, receive in
      var made = kind()
      made.need = need
      return AnySensor(made, lost: lost, receive)
    }
  }

  /// Returns a new sensor of this kind, which shares nothing with other sensors of the program.
  ///
  /// - Parameters:
  ///   - need: the channel to read, and how often; nil for all channels at the source's usual rate. Only devices of
  ///     Industrial I/O are read by single channels.
  ///   - lost: called on the thread `mo-input` when the source is lost, such as an unplugged device, or the
  ///     magnetometer of a compass.
  package func sensor(
    needing need: ChannelNeed? = nil, lost: @escaping @Sendable () -> Void = {}, _ receive: @escaping Receiver
  ) -> AnySensor {
    make(need, lost, receive)
  }

  package static func == (left: AnySensorKind, right: AnySensorKind) -> Bool { left.name == right.name }

  package func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

/// A sensor of any kind, with readings as OSC arguments.
package struct AnySensor: Sendable {
  /// Starts to read the source, or to wait for its device; a nil source means the best device that is there.
  package let start: @Sendable (_ source: String?, _ run: Run) throws -> Void
  package let stop: @Sendable () -> Void
  /// Returns the name of the source that is read now; nil while the sensor waits for a device.
  package let source: @Sendable () -> String?
  /// Returns why a device of the sensor cannot be read; nil if all its devices are read, or if no reason is known.
  package let problem: @Sendable () -> String?

  init<Reading>(
    _ kind: SensorKind<Reading>, lost: @escaping @Sendable () -> Void,
    _ receive: @escaping AnySensorKind.Receiver
  ) {
    let server = SensorServer<Reading>(kind)
    server.callbacks.add { receive($0.arguments, $0.time) }
    for events in [server.sensorInput.events, kind.mainPartEvents] {
      events?.add { if case .lost = $0 { lost() } }
    }
    start = { try server.start(source: $0, in: $1) }
    stop = { server.stop() }
    source = { server.sensorInput.deviceName }
    problem = { server.sensorInput.problem }
  }
}
