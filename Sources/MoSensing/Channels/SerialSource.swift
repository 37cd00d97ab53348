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
  private var complaint = UnreadableLineNotice()
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
      decoder.take(bytes.span.extracting(first: count)) { channel, value in
        deliver(ChannelReading(time: now, channel: channel, value: value))
      }
      if let text = complaint.look(decoder, as: name, now: now) { MoLog.log(.warning, text) }
      // All data was read; new data or a hang-up will wake the loop again.
      if count < bytes.count { return }
    }
  }
}
