import CEvdev
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

/// Accelerometers in the kernel's input system: those of tablets and of game controllers.
enum EvdevAccelerometer {
  static var row: SensorRow<AccelReading> {
    EvdevList.row(where: \.isAccelerometer) { path, opening in
      try open(path: path, advice: opening.advice, deliver: opening.deliver)
    }
  }

  /// Opens an accelerometer.
  ///
  /// - Throws: `SensorError` if the device does not exist, may not be opened, or is not an accelerometer.
  static func open(
    path: String, advice: () -> String = { SensorError.listing },
    deliver: @escaping @Sendable (AccelReading) -> Void
  ) throws(SensorError) -> EvdevTriple<AccelReading> {
    let device = try EvdevDevice(path: path, noun: "an accelerometer", advice: advice)
    guard let (axes, scale) = layout(of: device) else {
      throw .wrongDevice(path: device.path, noun: "an accelerometer", advice: advice())
    }
    let frame = EvdevFrame(title: device.title)
    return EvdevTriple(device, axes: axes, scale: scale, deliver: deliver) {
      AccelReading(time: $0, axes: frame.turned($1))
    }
  }

  /// Returns a device's axes and, for each axis, the acceleration in g of a raw value of 1; nil if the device is not an
  /// accelerometer.
  private static func layout(of device: EvdevDevice) -> ([Int32], SIMD3<Float>)? {
    let usual = [ABS_X, ABS_Y, ABS_Z]
    if device.has(property: INPUT_PROP_ACCELEROMETER), usual.allSatisfy({ device.has(EV_ABS, $0) }) {
      return (usual, 1 / SIMD3(unitsPerG(device, ABS_X), unitsPerG(device, ABS_Y), unitsPerG(device, ABS_Z)))
    }
    // The Wii remote's accelerometer has neither the property nor a resolution. It uses the axes of a rotation
    // (hid-wiimote), with 10 bits for about ±5 g.
    let turning = [ABS_RX, ABS_RY, ABS_RZ]
    if device.title.hasSuffix(" Remote Accelerometer"), turning.allSatisfy({ device.has(EV_ABS, $0) }) {
      return (turning, SIMD3(repeating: 1 / 100))
    }
    return nil
  }

  /// Returns the raw value that an axis reports for 1 g.
  ///
  /// This value is the resolution of the axis, which the kernel defines as units per g for accelerometers. If a driver
  /// gives no resolution, the value is half the axis's maximum, since such sensors are set to ±2 g.
  private static func unitsPerG(_ device: EvdevDevice, _ axis: Int32) -> Float {
    guard let info = device.axis(axis) else { return 1 }
    return info.resolution > 0 ? Float(info.resolution) : max(1, Float(info.maximum) / 2)
  }
}

/// Accelerometers in Industrial I/O: those of convertible laptops and of expansion boards for the Pi.
enum IIOAccelerometer {
  static let row = IIOList.row(channel: "accel") {
    AccelReading(time: $0, axes: $1 / PhoneLayout.metresPerG)
  }
}
