import MoCore
import MoRuntime

/// A kind of sensor: its option, a table of its sources, and its properties for rigs and the tool `momu`.
package struct SensorKind<Reading: SensorReading>: Sendable {
  /// The option's name, such as `accel`; for a sensor without an option, the name of its type, such as `MoSensor`.
  package let option: String
  /// The sensor in words, such as `an accelerometer`.
  package let noun: String
  /// The sources that the option can name, in the order in which help lists them and devices are tried.
  package let rows: [SensorRow<Reading>]
  /// Opens the source that is used if the user names no source and no device can be opened, such as a simulated player.
  ///
  /// `forbidden` is a device that exists, but that the user may not open; nil if there is none.
  package let standIn:
    @Sendable (_ opening: SensorOpenContext<Reading>, _ forbidden: NamedDevice?) throws -> OpenSource

  /// The source for a program that waits for devices, such as a rig, if the user names no source.
  ///
  /// Such a source, for example `gpsd`, can be opened before a device is present. The value is nil for a sensor whose
  /// table has rows of devices: the program then waits for such a device.
  let usual: String?

  /// The sensors without whose readings this sensor has no readings, such as a compass without a magnetometer.
  ///
  /// The list is empty for a sensor that combines no others.
  let needs: [AnySensorKind]
  /// Whether `--list-devices` lists the devices of this sensor.
  let isListed: Bool
  /// The word under which `momu doctor` lists a device of this sensor, such as `gyroscope`.
  ///
  /// With a word, the doctor also reports each input device of this sensor that the user may not read. With nil, the
  /// doctor does neither.
  let doctorWord: String?
  /// The sources to choose from, such as `serial:PATH`, if the user must name a source; nil if MoMu can choose.
  let choices: String?
  /// The default OSC address of a rig's messages.
  let address: String
  /// The nature of the readings, which decides on the rules of a rig.
  let nature: ReadingNature
  /// The curves that `momu scope` draws; nil if it draws each number of a message as a curve without a unit.
  let curves: SensorCurves?
  /// The channel that a sensor of this kind reads, and how often; nil for all channels at the source's usual rate.
  ///
  /// Only devices of Industrial I/O are read by single channels.
  var need: ChannelNeed?
  /// The events of the main part of a combined sensor, which sets the times of the readings; nil for other sensors.
  var mainPartEvents: CallbackList<SensorEvent>?

  package init(
    option: String, noun: String, isListed: Bool = false, doctorWord: String? = nil, usual: String? = nil,
    needs: [AnySensorKind] = [], choices: String? = nil, address: String = Reading.address,
    nature: ReadingNature = .quantities, curves: SensorCurves? = nil, rows: [SensorRow<Reading>],
    standIn: @escaping @Sendable (SensorOpenContext<Reading>, NamedDevice?) throws -> OpenSource
  ) {
    self.option = option
    self.noun = noun
    self.isListed = isListed
    (self.usual, self.needs) = (usual, needs)
    (self.doctorWord, self.choices, self.address) = (doctorWord, choices, address)
    (self.nature, self.curves) = (nature, curves)
    self.rows = rows
    self.standIn = standIn
  }

  /// The forms of sources that the option accepts, such as `evdev:PATH`.
  package var forms: [String] { rows.flatMap(\.forms) }

  /// Returns the row for a source such as `evdev:PATH`, and the text after the colon, which is nil without a colon.
  ///
  /// - Throws: `SensorError.unknownSource` for a name whose scheme is not in the table.
  func row(of name: String) throws(SensorError) -> (SensorRow<Reading>, detail: String?) {
    let parts = name.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    guard let row = rows.first(where: { $0.scheme == parts[0] }) else {
      throw .unknownSource(name, option: option, known: forms)
    }
    return (row, parts.count == 2 ? String(parts[1]) : nil)
  }

  /// Checks whether a name is valid for the option.
  ///
  /// - Throws: as `row(of:)`, and for a text after the colon that is valid on no machine.
  package func check(_ name: String) throws(SensorError) {
    let (row, detail) = try row(of: name)
    let hasDetails = row.forms.contains { $0.contains(":") }
    let isNet = row.scheme == "net"
    let namesNothing = !row.forms.contains(row.scheme) && (detail ?? "").isEmpty
    let namesTooMuch = !hasDetails && !isNet && detail != nil
    // The row of the simulated players lists all of them in its forms.
    let isUnknownPlayer = row.scheme == "sim" && !row.forms.contains(name)
    if namesNothing || namesTooMuch || isUnknownPlayer {
      throw .unknownSource(name, option: option, known: forms)
    }
    guard let detail else { return }
    if isNet { _ = try SensorPort.number(detail, option: option) }
    try row.check(detail)
  }

  /// Returns all sources that the option can name on this machine.
  package func devices() -> [NamedDevice] { rows.flatMap { $0.devices() } }

  /// The advice in an error about a named device: how to find the devices that exist.
  var advice: String {
    guard !isListed else { return SensorError.listing }
    let there = devices().filter(\.isReal).map(\.name)
    guard there.isEmpty else { return "use " + SensorError.list(there) }
    let player = rows.first { $0.scheme == "sim" }?.forms.first
    return "there is none here now: plug it in"
      + (player.map { ", or use \(SensorError.typed(option)) \($0)" } ?? "")
  }
}

/// The nature of a sensor's readings, on which the rules of a rig depend.
package enum ReadingNature: Sendable {
  /// Samples of quantities: a rig may skip, smooth and convert them.
  case quantities
  /// Samples of directions: a rig may skip some, but cannot smooth them, since angles wrap around.
  ///
  /// A rig does not convert them, since the values have no common unit.
  case directions
  /// Events, all of which a rig sends.
  case events
}

/// The curves that `momu scope` draws from a sensor's readings.
package enum SensorCurves: Sendable {
  /// Curves of arguments at fixed positions in a reading's OSC message.
  case arguments([Curve])
  /// A curve for each name: the first argument of a message is the name, and the last argument is the value.
  case named

  /// An argument that is drawn.
  package struct Curve: Sendable {
    /// The position of the argument, from 0.
    package var place: Int
    package var name: String
    /// The unit, such as `g`; empty for plain numbers.
    package var unit = ""
    /// The title of the curve's pane; nil for the sensor's name.
    package var pane: String?
  }

  /// Returns a curve for each of the first arguments, all in a single pane.
  static func values(_ names: String..., unit: String) -> SensorCurves {
    .arguments(names.enumerated().map { Curve(place: $0, name: $1, unit: unit) })
  }
}

/// A row of a sensor's table: a kind of source.
package struct SensorRow<Reading: SensorReading>: Sendable {
  /// The text before the colon of a source, such as `evdev` in `evdev:PATH`.
  let scheme: String
  /// The forms to type, such as `evdev:PATH`; the row of simulated players has several.
  let forms: [String]
  /// The folder in which the row's devices appear and disappear; nil for a source that is not a device.
  let folder: String?
  /// Whether the source can be read offline.
  let worksOffline: Bool
  /// Returns whether the row can read an input device with the given properties; nil for a row of other sources.
  let readsInput: (@Sendable (EvdevTraits) -> Bool)?
  /// Returns whether the row can read a device of Industrial I/O with the given attributes; nil for other sources.
  let readsChip: (@Sendable (_ attributes: [String]) -> Bool)?
  /// Whether the row polls a device of Industrial I/O even if the device has a buffer.
  let alwaysPolls: Bool
  /// Returns the sources of this row on this machine; for a row of devices, only the devices that exist.
  let devices: @Sendable () -> [NamedDevice]
  /// Checks the text after the colon of a source; throws an error if the text cannot be valid on any machine.
  let check: @Sendable (_ detail: String) throws(SensorError) -> Void
  /// Opens a source; `detail` is the text after the colon, nil without a colon.
  ///
  /// Returns nil if `detail` is not valid.
  let open: @Sendable (_ detail: String?, _ opening: SensorOpenContext<Reading>) throws -> OpenSource?

  package init(
    _ scheme: String, forms: [String], folder: String? = nil, worksOffline: Bool = false,
    readsInput: (@Sendable (EvdevTraits) -> Bool)? = nil, readsChip: (@Sendable ([String]) -> Bool)? = nil,
    alwaysPolls: Bool = false, devices: @escaping @Sendable () -> [NamedDevice],
    check: @escaping @Sendable (String) throws(SensorError) -> Void = { _ in },
    open: @escaping @Sendable (String?, SensorOpenContext<Reading>) throws -> OpenSource?
  ) {
    self.scheme = scheme
    self.forms = forms
    self.folder = folder
    self.worksOffline = worksOffline
    (self.readsInput, self.readsChip, self.alwaysPolls) = (readsInput, readsChip, alwaysPolls)
    self.devices = devices
    self.check = check
    self.open = open
  }

  /// Whether a device of this row exists and may be opened.
  package var hasDevice: Bool { folder != nil && devices().contains(where: \.isOpen) }
}

/// The parameters for opening a source.
package struct SensorOpenContext<Reading: SensorReading>: Sendable {
  /// The sensor's option, such as `accel`.
  package let option: String
  /// The sensor in words, such as `an accelerometer`.
  package let noun: String
  /// All forms that the option accepts.
  package let forms: [String]
  /// The forms of the simulated players, which can be read offline; for error texts.
  package let offlineForms: [String]
  /// Returns the advice for an error about a device: how to find the devices that exist.
  package let advice: @Sendable () -> String
  package let run: Run
  /// Receives the readings.
  package let deliver: @Sendable (Reading) -> Void
  /// Receives the events of the source.
  package let notify: @Sendable (SensorEvent) -> Void
  /// The channel that is needed; see `SensorKind.need`.
  package var need: ChannelNeed?

  /// Returns the same parameters with another receiver of the readings.
  package func delivering(to deliver: @escaping @Sendable (Reading) -> Void) -> SensorOpenContext {
    SensorOpenContext(
      option: option, noun: noun, forms: forms, offlineForms: offlineForms, advice: advice, run: run,
      deliver: deliver, notify: notify, need: need)
  }
}

/// A source that was opened, and the action that closes it.
package struct OpenSource {
  let input: any EventSource
  let close: @Sendable () -> Void
  /// Returns whether the source has the device from which its readings come, on any thread.
  ///
  /// A source such as `gpsd` stays open while its device is missing.
  let hasDevice: @Sendable () -> Bool
  /// Returns why a device of the open source cannot be read, on any thread; nil if no reason is known.
  let problem: @Sendable () -> String?

  package init(
    _ input: any EventSource, close: @escaping @Sendable () -> Void = {},
    hasDevice: @escaping @Sendable () -> Bool = { true }, problem: @escaping @Sendable () -> String? = { nil }
  ) {
    self.input = input
    self.close = close
    (self.hasDevice, self.problem) = (hasDevice, problem)
  }
}
