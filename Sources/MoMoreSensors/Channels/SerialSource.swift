import Glibc
import MoProgram
import MoSensors
import MoTime

/// A board on a serial line that sends numbers; stamped as they arrive.
final class SerialSource: InputSource {
  let name: String
  let descriptor: Int32?
  let nextTime: HostTime? = nil
  private var decoder: SerialDecoder
  private var complaint = SerialComplaint()
  private let deliver: @Sendable (ChannelReading) -> Void
  /// Room for what is read; memory of its own, so that no access to it is checked.
  private let bytes: UnsafeMutableBufferPointer<UInt8>

  /// A table's row, whose folder is watched, so that a board that is plugged in again is read again.
  static func row(folder: String = "/dev") -> SensorRow<ChannelReading> {
    SensorRow(
      "serial", forms: ["serial:PATH"], folder: folder,
      devices: {
        SystemFiles.names(in: folder).filter { $0.hasPrefix("ttyACM") || $0.hasPrefix("ttyUSB") }.map {
          port in
          let path = "\(folder)/\(port)"
          let isOpen = access(path, R_OK | W_OK) == 0
          return NamedDevice(
            name: "serial:\(path)",
            about: isOpen
              ? "a board" : "may not be read: sudo usermod -aG dialout $USER, then log in again",
            isReal: true, isOpen: isOpen)
        }
      },
      check: { detail throws(SensorError) in _ = try parts(detail) },
      open: { detail, opening in
        guard let detail, !detail.isEmpty else { return nil }
        return OpenSource(try SerialSource(detail, deliver: opening.deliver))
      })
  }

  /// - Parameter detail: the port's path, and after it, where it is not 115,200, its speed: `/dev/ttyUSB0?baud=9600`.
  /// - Throws: `SensorError`.
  init(_ detail: String, deliver: @escaping @Sendable (ChannelReading) -> Void) throws(SensorError) {
    let (path, speed) = try SerialSource.parts(detail)
    let file = open(path, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
    guard file >= 0 else {
      let missing = "plug the board in, and see with ls /dev/ttyACM* /dev/ttyUSB* what it is called"
      throw errno == EACCES ? .noPermission(path: path) : .noDevice(path: path, advice: missing)
    }
    var settings = termios()
    guard tcgetattr(file, &settings) == 0 else {
      close(file)
      throw .wrongDevice(
        path: path, noun: "a serial port", advice: "ls /dev/ttyACM* /dev/ttyUSB* shows those there are")
    }
    cfmakeraw(&settings)
    // Neither a modem's lines nor flow control: a board has three wires.
    settings.c_cflag |= tcflag_t(CLOCAL | CREAD)
    cfsetspeed(&settings, speed)
    tcsetattr(file, TCSANOW, &settings)
    name = "serial:\(path)"
    descriptor = file
    // What the kernel kept from before it was opened is old, and may begin in the middle of a line.
    tcflush(file, TCIFLUSH)
    decoder = SerialDecoder()
    self.deliver = deliver
    bytes = .allocate(capacity: 4096)
    bytes.initialize(repeating: 0)
  }

  deinit {
    if let descriptor { close(descriptor) }
    bytes.deallocate()
  }

  func service(until now: HostTime) throws {
    guard let descriptor else { return }
    while true {
      let count = read(descriptor, bytes.baseAddress, bytes.count)
      guard count > 0 else {
        if count < 0, errno == EAGAIN || errno == EINTR { return }
        // A board that is unplugged hangs up: its line ends.
        throw SensorError.wentAway(
          name: name, reason: count == 0 ? "hung up" : String(cString: strerror(errno)))
      }
      decoder.take(bytes.span.extracting(first: count)) { channel, value in
        deliver(ChannelReading(time: now, channel: channel, value: value))
      }
      if let text = complaint.look(decoder, as: name, now: now) { MoLog.log(.warning, text) }
      // All that was there: what comes now wakes the loop again, and so does a board that hangs up.
      if count < bytes.count { return }
    }
  }

  private static func parts(_ detail: String) throws(SensorError) -> (path: String, speed: speed_t) {
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
        "\"\(setting)\" is nothing that serial:PATH takes: use ?baud= and 9600, 19200, 38400, 57600, 115200, 230400, "
          + "460800 or 921600")
    }
  }
}
