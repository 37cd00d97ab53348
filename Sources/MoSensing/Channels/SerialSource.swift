import Glibc
import MoCore
import MoRuntime

/// A board that sends numbers over a serial port; the time of a value is the time of its arrival.
final class SerialSource: EventSource {
  let name: String
  let descriptor: Int32?
  let keepsDescriptor = true
  let nextTime: HostTime? = nil
  private var decoder: SerialDecoder
  private var lineCheck = UnreadableLineNotice()
  private let deliver: @Sendable (ChannelReading) -> Void
  /// The read buffer; allocated separately, so that Swift does not check each access.
  private let bytes: UnsafeMutableBufferPointer<UInt8>

  /// Returns the row for boards in the sensor's table of sources.
  ///
  /// The row's folder is watched, so that a board is read again after it was plugged in again.
  static func row(folder: String = "/dev") -> SensorRow<ChannelReading> {
    SensorRow(
      "serial", forms: ["serial:PATH"], folder: folder,
      devices: { SerialPort.devices(in: folder) },
      check: { detail throws(SensorError) in _ = try SerialPort.parts(detail) },
      open: { detail, opening in
        guard let detail, !detail.isEmpty else { return nil }
        return OpenSource(try SerialSource(detail, deliver: opening.deliver))
      })
  }

  /// - Parameter detail: the port's path, and its speed if it is not 115,200: `/dev/ttyUSB0?baud=9600`.
  /// - Throws: `SensorError`.
  init(_ detail: String, deliver: @escaping @Sendable (ChannelReading) -> Void) throws(SensorError) {
    let (path, file) = try SerialPort.open(detail)
    name = "serial:\(path)"
    descriptor = file
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
      decoder.decode(bytes.span.extracting(first: count)) { channel, value in
        deliver(ChannelReading(time: now, channel: channel, value: value))
      }
      if let text = lineCheck.check(decoder, as: name, now: now) { MoLog.log(.warning, text) }
      // All data was read; new data or a hang-up will wake the loop again.
      if count < bytes.count { return }
    }
  }
}

/// A check for a board whose lines cannot be parsed, because the board uses another format or another baud rate.
struct UnreadableLineNotice {
  private var begun: HostTime?
  private var isOver = false

  /// The time from the first data to the first check, in seconds.
  private static let checkDelay = 5.0
  /// The number of bytes without the end of a line after which the data does not count as text.
  private static let mostBytes = 2048
  private static let fewest = 3
  private static let mostShown = 40

  /// Checks whether the lines that the board has sent so far can be parsed.
  ///
  /// The checks begin five seconds after the first call. They end after a warning, or after more than 100 valid lines.
  ///
  /// - Returns: the text of a warning if the lines cannot be parsed; otherwise nil.
  mutating func check(_ decoder: SerialDecoder, as name: String, now: HostTime) -> String? {
    guard !isOver else { return nil }
    let since = begun ?? now
    begun = since
    guard now.seconds(since: since) >= Self.checkDelay else { return nil }
    let saysNothing = decoder.dropped >= Self.fewest && decoder.dropped > 9 * decoder.understood
    let hasNoLines = decoder.understood == 0 && decoder.dropped == 0 && decoder.received >= Self.mostBytes
    guard saysNothing || hasNoLines else {
      // A board with enough understood lines is no longer checked.
      if decoder.understood > 100 { isOver = true }
      return nil
    }
    isOver = true
    let sample = decoder.sample
    let strange = sample.filter { $0 < 0x20 && $0 != 0x09 || $0 >= 0x7F }.count
    if hasNoLines || 4 * strange > sample.count {
      return
        "\(name) sends noise, perhaps at another speed: write ?baud=9600 after its path, or the "
        + "number that its program gives to Serial.begin"
    }
    let shown = String(decoding: sample.prefix(Self.mostShown), as: UTF8.self)
    return
      "\(name) sends lines without numbers, such as \"\(shown)\": have it print knob 0.3, 512 0.3 7, or "
      + "{\"knob\": 0.3}"
  }
}
