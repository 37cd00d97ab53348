import Glibc

/// A board behind a USB converter: QEMU's FTDI chip, which the kernel shows as a port.
///
/// Bytes written to the machine's second port, `/dev/ttyS1`, arrive there: `boot` connects the two.
final class SerialBoard {
  /// The path of the port.
  static let port = "/dev/ttyUSB0"

  private let line: Int32
  /// Its folder in sysfs, which exists with or without a driver.
  private let device: String

  init() throws {
    guard let port = realpath("/sys/class/tty/ttyUSB0/device", nil) else { throw Failure(call: "ttyUSB0") }
    defer { free(port) }
    // …/1-1/1-1:1.0/ttyUSB0: the port is in its interface's folder, which is in the device's folder, which stays.
    device = String(cString: port).split(separator: "/").dropLast(2).map { "/\($0)" }.joined()
    line = open("/dev/ttyS1", O_WRONLY | O_NOCTTY | O_NONBLOCK)
    guard line >= 0 else { throw Failure(call: "open /dev/ttyS1") }
    var settings = termios()
    guard tcgetattr(line, &settings) == 0 else { throw Failure(call: "tcgetattr /dev/ttyS1") }
    cfmakeraw(&settings)
    settings.c_cflag |= tcflag_t(CLOCAL)
    cfsetspeed(&settings, speed_t(B115200))
    tcsetattr(line, TCSANOW, &settings)
    // From now on a write blocks until there is room.
    _ = fcntl(line, F_SETFL, 0)
  }

  deinit { close(line) }

  func send(_ bytes: [UInt8]) throws {
    var sent = 0
    while sent < bytes.count {
      let count = bytes[sent...].withUnsafeBytes { write(line, $0.baseAddress, $0.count) }
      guard count > 0 else { throw Failure(call: "write /dev/ttyS1") }
      sent += count
    }
  }

  func send(_ text: String) throws { try send(Array(text.utf8)) }

  /// Pulls the plug: the kernel takes the device from its driver, as when the bus reports that it is gone.
  func unplug() throws { try authorize("0") }

  /// Puts it back.
  func plug() throws { try authorize("1") }

  private func authorize(_ word: String) throws {
    let path = "\(device)/authorized"
    let file = open(path, O_WRONLY)
    guard file >= 0 else { throw Failure(call: "open \(path)") }
    defer { close(file) }
    guard write(file, word, 1) == 1 else { throw Failure(call: "write \(path)") }
  }
}
