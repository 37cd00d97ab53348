/// Why an accelerometer cannot be read; its text says what happened and what to type.
public enum AccelError: Error, CustomStringConvertible, Equatable {
  /// `--accel` names nothing there is.
  case unknownSource(String)
  /// `--accel net:` is followed by something else than a port.
  case badPort(String)
  /// A phone is to be read, and the network is shut out.
  case noNetwork
  /// A phone's layout that there is not.
  case unknownLayout(String)
  /// There is no such device.
  case noDevice(path: String)
  /// The device may not be opened.
  case noPermission(path: String)
  /// The device is something else.
  case notAnAccelerometer(path: String)
  /// The device failed or was unplugged.
  case wentAway(name: String, reason: String)
  /// Keys were asked for without a terminal.
  case noTerminal
  /// A source that only works in real time, with `--offline`.
  case notOffline(name: String)
  /// A tape cannot be played or recorded.
  case tape(String)
  /// The input thread could not be made.
  case noThread(reason: String)

  /// What happened and what to do.
  public var description: String {
    switch self {
    case .unknownSource(let name):
      "unknown source \"\(name)\" for --accel: use evdev:PATH, keys, net, sim:still, sim:shake, sim:tilt or tape:FILE"
    case .badPort(let text):
      "\"\(text)\" is no port for --accel net: use 1 to 65535, such as net:6449"
    case .noNetwork: "--accel net reads the network, which --net none shuts out: leave out one of them"
    case .unknownLayout(let text):
      "unknown layout \"\(text)\": use touchosc, zigsim, sensors2osc or momu"
    case .noDevice(let path):
      "no device \(path): --list-devices shows those there are"
    case .noPermission(let path):
      "no access to \(path): add yourself to the group 'input': sudo usermod -aG input $USER, then log in again"
    case .notAnAccelerometer(let path):
      "\(path) is not an accelerometer: --list-devices shows those there are"
    case .wentAway(let name, let reason):
      "\(name) went away (\(reason))"
    case .noTerminal:
      "--accel keys needs a terminal to type in: start the program in one, or use --accel sim:shake"
    case .notOffline(let name):
      "--offline cannot read \"\(name)\": use --accel tape:FILE, or sim:still, sim:shake, sim:tilt"
    case .tape(let text):
      text
    case .noThread(let reason):
      "no input thread: \(reason)"
    }
  }
}
