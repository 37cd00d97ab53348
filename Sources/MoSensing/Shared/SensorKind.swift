import MoCore
import MoRuntime

/// One kind of sensor: its option, and a table of what that option can name.
package struct SensorKind<Reading: SensorReading>: Sendable {
  /// The option's name, such as `accel`; of a sensor without one, its type's.
  package let option: String
  /// What it is, such as `an accelerometer`.
  package let noun: String
  /// What the option can name, in the order in which help names it and devices are tried.
  package let rows: [SensorRow<Reading>]
  /// What plays where nothing is named and no device is there; told about one that may not be read.
  package let standIn:
    @Sendable (_ opening: SensorOpenContext<Reading>, _ forbidden: NamedDevice?) throws -> OpenSource

  /// What is read where nothing is named and the run waits for devices: a source that is there at any time and waits by
  /// itself; nil for a sensor that is a device.
  let usual: String?

  /// Whether `--list-devices` names its devices.
  let isListed: Bool

  package init(
    option: String, noun: String, isListed: Bool = false, usual: String? = nil, rows: [SensorRow<Reading>],
    standIn: @escaping @Sendable (SensorOpenContext<Reading>, NamedDevice?) throws -> OpenSource
  ) {
    self.option = option
    self.noun = noun
    self.isListed = isListed
    self.usual = usual
    self.rows = rows
    self.standIn = standIn
  }

  /// The forms that the option takes.
  var forms: [String] { rows.flatMap(\.forms) }

  /// The row that a source's name belongs to, and what stands behind its colon.
  ///
  /// - Throws: `SensorError.unknownSource` for a name whose scheme is none of the table's.
  func row(of name: String) throws(SensorError) -> (SensorRow<Reading>, detail: String?) {
    let parts = name.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    guard let row = rows.first(where: { $0.scheme == parts[0] }) else {
      throw .unknownSource(name, option: option, known: forms)
    }
    return (row, parts.count == 2 ? String(parts[1]) : nil)
  }

  /// Sees whether a name is one of the option's.
  ///
  /// - Throws: as `row(of:)`, and for what stands behind the colon and can be right nowhere.
  package func check(_ name: String) throws(SensorError) {
    let (row, detail) = try row(of: name)
    let hasDetails = row.forms.contains { $0.contains(":") }
    let isNet = row.scheme == "net"
    let namesNothing = !row.forms.contains(row.scheme) && (detail ?? "").isEmpty
    let namesTooMuch = !hasDetails && !isNet && detail != nil
    // The row of the simulated players has them all in its forms.
    let isUnknownPlayer = row.scheme == "sim" && !row.forms.contains(name)
    if namesNothing || namesTooMuch || isUnknownPlayer {
      throw .unknownSource(name, option: option, known: forms)
    }
    guard let detail else { return }
    if isNet { _ = try SensorPort.number(detail, option: option) }
    try row.check(detail)
  }

  /// Everything that the option can name here.
  package func devices() -> [NamedDevice] { rows.flatMap { $0.devices() } }

  /// How to find the devices that there are, for who named one that is not.
  var advice: String {
    guard !isListed else { return SensorError.listing }
    let there = devices().filter(\.isReal).map(\.name)
    guard there.isEmpty else { return "use " + SensorError.list(there) }
    let player = rows.first { $0.scheme == "sim" }?.forms.first
    return "there is none here now: plug it in"
      + (player.map { ", or use \(SensorError.typed(option)) \($0)" } ?? "")
  }
}

/// One line of a sensor's table: a kind of source.
package struct SensorRow<Reading: SensorReading>: Sendable {
  /// What stands before the colon.
  let scheme: String
  /// How it is typed, such as `evdev:PATH`; a simulated player's row has several.
  let forms: [String]
  /// The folder in which its devices come and go; nil for what is no device.
  let folder: String?
  /// Whether it can be read in counted time.
  let worksOffline: Bool
  /// What it can name here; of devices, those there are.
  let devices: @Sendable () -> [NamedDevice]
  /// Sees whether what stands behind the colon can be right, whatever is here now.
  let check: @Sendable (_ detail: String) throws(SensorError) -> Void
  /// Opens one; nil where the detail, which is nil without a colon, says nothing that it knows.
  let open: @Sendable (_ detail: String?, _ opening: SensorOpenContext<Reading>) throws -> OpenSource?

  package init(
    _ scheme: String, forms: [String], folder: String? = nil, worksOffline: Bool = false,
    devices: @escaping @Sendable () -> [NamedDevice],
    check: @escaping @Sendable (String) throws(SensorError) -> Void = { _ in },
    open: @escaping @Sendable (String?, SensorOpenContext<Reading>) throws -> OpenSource?
  ) {
    self.scheme = scheme
    self.forms = forms
    self.folder = folder
    self.worksOffline = worksOffline
    self.devices = devices
    self.check = check
    self.open = open
  }

  /// Whether a device of the kind is there and may be opened.
  package var hasDevice: Bool { folder != nil && devices().contains(where: \.isOpen) }
}

/// What whoever opens a source is given.
package struct SensorOpenContext<Reading: SensorReading>: Sendable {
  /// The sensor's option, such as `accel`.
  package let option: String
  /// What the sensor is, such as `an accelerometer`.
  package let noun: String
  /// All forms that the option takes.
  package let forms: [String]
  /// The forms that can be read in counted time, but for tapes.
  package let offlineForms: [String]
  /// How to find the devices that there are.
  package let advice: @Sendable () -> String
  package let run: Run
  /// Where readings go.
  package let deliver: @Sendable (Reading) -> Void
  /// Where news of the source goes.
  package let tell: @Sendable (SensorEvent) -> Void

  /// The same, with readings going elsewhere.
  package func delivering(to deliver: @escaping @Sendable (Reading) -> Void) -> SensorOpenContext {
    SensorOpenContext(
      option: option, noun: noun, forms: forms, offlineForms: offlineForms, advice: advice, run: run,
      deliver: deliver, tell: tell)
  }
}

/// A source that was opened, and what to close with it.
package struct OpenSource {
  let input: any EventSource
  let close: @Sendable () -> Void

  package init(_ input: any EventSource, close: @escaping @Sendable () -> Void = {}) {
    self.input = input
    self.close = close
  }
}
