import Glibc
import MoRuntime

/// Serial ports of this machine, such as those of boards on USB.
enum SerialPort {
  /// Returns the ports of boards in a folder.
  static func devices(in folder: String) -> [NamedDevice] {
    SystemFiles.names(in: folder).filter { $0.hasPrefix("ttyACM") || $0.hasPrefix("ttyUSB") }.map { port in
      let path = "\(folder)/\(port)"
      let isOpen = access(path, R_OK | W_OK) == 0
      return NamedDevice(
        name: "serial:\(path)",
        about: isOpen ? "a board" : "may not be read: sudo usermod -aG dialout $USER, then log in again",
        isReal: true, isOpen: isOpen)
    }
  }

  /// Opens a port for reading, without modem lines or flow control.
  ///
  /// - Parameter detail: the port's path, and its speed if it is not 115,200: `/dev/ttyUSB0?baud=9600`.
  /// - Returns: the descriptor, which the caller closes.
  /// - Throws: `SensorError`.
  static func open(_ detail: String) throws(SensorError) -> (path: String, descriptor: Int32) {
    let (path, speed) = try parts(detail)
    let file = Glibc.open(path, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
    guard file >= 0 else {
      let missing = "plug the board in, then type ls /dev/ttyACM* /dev/ttyUSB* to see its name"
      throw errno == EACCES ? .noPermission(path: path) : .noDevice(path: path, advice: missing)
    }
    var settings = termios()
    guard tcgetattr(file, &settings) == 0 else {
      close(file)
      throw .wrongDevice(
        path: path, noun: "a serial port", advice: "ls /dev/ttyACM* /dev/ttyUSB* lists the ports")
    }
    cfmakeraw(&settings)
    // No modem lines and no flow control: a board has three wires.
    settings.c_cflag |= tcflag_t(CLOCAL | CREAD)
    cfsetspeed(&settings, speed)
    tcsetattr(file, TCSANOW, &settings)
    // The data that the kernel kept from before is old, and may begin in the middle of a line.
    tcflush(file, TCIFLUSH)
    return (path, file)
  }

  /// Parses a port's path and speed, such as `/dev/ttyUSB0?baud=9600`; without a speed, 115,200 baud.
  ///
  /// - Throws: `SensorError.other` for a speed that ports do not support.
  static func parts(_ detail: String) throws(SensorError) -> (path: String, speed: speed_t) {
    let parts = detail.split(separator: "?", maxSplits: 1)
    let setting = parts.count == 2 ? String(parts[1]) : "baud=115200"
    return (parts.first.map { String($0) } ?? detail, try speed(setting))
  }

  private static func speed(_ setting: String) throws(SensorError) -> speed_t {
    switch setting {
    case "baud=9600": speed_t(B9600)
    case "baud=19200": speed_t(B19200)
    case "baud=38400": speed_t(B38400)
    case "baud=57600": speed_t(B57600)
    case "baud=115200": speed_t(B115200)
    case "baud=230400": speed_t(B230400)
    case "baud=460800": speed_t(B460800)
    case "baud=921600": speed_t(B921600)
    default:
      throw .other(
        "unknown setting \"\(setting)\" for serial:PATH: use ?baud= and 9600, 19200, 38400, 57600, 115200, 230400, "
          + "460800 or 921600")
    }
  }
}
