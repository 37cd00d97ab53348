import MoCore
import MoNetwork
import MoRuntime

extension SensorKind<AccelReading> {
  /// The accelerometer as a kind of sensor, with the sources that `--accel` can name.
  package static var accel: SensorKind {
    SensorKind(
      option: "accel", noun: "an accelerometer", isListed: true,
      rows: [
        EvdevAccelerometer.row, IIOAccelerometer.row, KeysAccelerometer.row, PhoneAccelerometer.row,
        SimulatedAccelerometer.row, TapeSource.row,
      ],
      standIn: standIn)
  }

  /// Opens the source that stands in for a missing device: the terminal's keys, or a simulated player if there is no
  /// terminal.
  private static func standIn(
    _ opening: SensorOpenContext<AccelReading>, _ forbidden: NamedDevice?
  ) throws -> OpenSource {
    guard !opening.run.isOffline else { return OpenSource(SimulatedAccelerometer.source(.shake, opening)) }
    let keys = try KeysAccelerometer.source(player: .shake, opening)
    let how =
      "Choose with --accel evdev:PATH, keys, net, sim:tilt or tape:FILE (--list-devices shows what is here)."
    let missing =
      forbidden.map { device in
        let path = device.name.split(separator: ":").last ?? ""
        return "There is \(SensorError.noPermission(path: String(path))). Until then"
      } ?? "No accelerometer found:"
    opening.run.notice(
      keys != nil
        ? "\(missing) space shakes, the arrows tilt; until the first key a simulated player does. \(how)"
        : "\(missing) a simulated player shakes. \(how)")
    return keys ?? OpenSource(SimulatedAccelerometer.source(.shake, opening))
  }
}

extension KeysAccelerometer {
  static let row = SensorRow<AccelReading>(
    "keys", forms: ["keys"],
    devices: {
      [NamedDevice(name: "keys", about: "the terminal's keys: space shakes, arrows tilt", isReal: false)]
    },
    open: { detail, opening in
      guard detail == nil else { return nil }
      guard let keys = try source(player: nil, opening) else {
        throw SensorError.noTerminal(option: opening.option)
      }
      return keys
    })

  /// Returns an accelerometer that is played on the terminal's keys; nil if there is no terminal.
  ///
  /// The accelerometer gets each key before the console. It uses only the space bar and the four arrow keys, so the
  /// console still gets all other keys.
  static func source(
    player: SimulatedAccelerometer.Player?, _ opening: SensorOpenContext<AccelReading>
  ) throws -> OpenSource? {
    let source = KeysAccelerometer(clock: opening.run.clock, player: player, deliver: opening.deliver)
    // The input loop services the source and passes it the keys, one call at a time.
    nonisolated(unsafe) let handed = source
    do {
      let token = try opening.run.keys.add(
        to: opening.run.input, rank: .first, { handed.take($0, at: $1) }, closed: { handed.close() })
      return token.map { token in OpenSource(source, close: { token.cancel() }) }
    } catch {
      throw SensorError.noThread(reason: "\(error)")
    }
  }
}

extension PhoneAccelerometer {
  // Offline, a tape may play in place of the network or not: the phone source reports that itself.
  static let row = SensorRow<AccelReading>(
    "net", forms: ["net"], worksOffline: true,
    devices: {
      [
        NamedDevice(
          name: "net", about: "a phone with TouchOSC, ZIG SIM or Sensors2OSC; net:PORT for another port",
          isReal: false)
      ]
    },
    open: source)

  private static func source(
    _ detail: String?, _ opening: SensorOpenContext<AccelReading>
  ) throws -> OpenSource? {
    let port = try SensorPort.read(detail, opening)
    let isTape = try SensorPort.isTape(opening)
    let run = opening.run
    let phone = PhoneAccelerometer(
      name: port.map { "net:\($0)" } ?? "net", start: isTape ? nil : run.clock.now, port: { MoNet.port },
      deliver: opening.deliver, tell: opening.tell, notice: { run.notice($0) })
    let phones = try PhoneListening(to: phone.inbox, port: port) { run.notice($0) }
    return OpenSource(phone, close: { phones.end() })
  }
}
