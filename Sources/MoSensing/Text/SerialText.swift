import Glibc
import MoCore
import MoRuntime

/// A device that sends lines of text over a serial port; the time of a line is the time of its arrival.
final class SerialText: EventSource {
  let name: String
  let descriptor: Int32?
  let keepsDescriptor = true
  let nextTime: HostTime? = nil
  private var decoder = TextDecoder()
  private var toldDropped = false
  private let deliver: @Sendable (TextLine) -> Void

  static let row = SensorRow<TextLine>(
    "serial", forms: ["serial:PATH"], folder: "/dev", devices: { SerialPort.devices(in: "/dev") },
    check: { detail throws(SensorError) in _ = try SerialPort.parts(detail) },
    open: { detail, opening in
      guard let detail, !detail.isEmpty else { return nil }
      return OpenSource(try SerialText(detail, deliver: opening.deliver))
    })

  /// - Parameter detail: the port's path, and its speed if it is not 115,200: `/dev/ttyUSB0?baud=9600`.
  /// - Throws: `SensorError`.
  init(_ detail: String, deliver: @escaping @Sendable (TextLine) -> Void) throws(SensorError) {
    let (path, file) = try SerialPort.open(detail)
    name = "serial:\(path)"
    descriptor = file
    self.deliver = deliver
  }

  deinit { if let descriptor { close(descriptor) } }

  func service(until now: HostTime) throws {
    guard let descriptor else { return }
    var bytes = [UInt8](repeating: 0, count: 1024)
    while true {
      let count = read(descriptor, &bytes, bytes.count)
      guard count > 0 else {
        if count < 0, errno == EAGAIN || errno == EINTR { return }
        throw SensorError.wentAway(
          name: name, reason: count == 0 ? "hung up" : String(cString: strerror(errno)))
      }
      decoder.take(bytes.span.extracting(first: count)) { deliver(TextLine(time: now, utf8: $0)) }
      if decoder.dropped > 0, !toldDropped {
        toldDropped = true
        MoLog.log(
          .warning,
          "\(name) sends lines longer than \(TextLine.longest) bytes, which MoMu leaves out: is its speed right? "
            + "serial:PATH?baud=9600 sets it")
      }
      if count < bytes.count { return }
    }
  }
}

extension SensorKind<TextLine> {
  /// The sensor of text lines, each of which is an event of its own.
  package static let text = SensorKind(
    option: "MoText", noun: "a reader of tags or codes",
    rows: [
      SerialText.row, NetReadings.row(),
      SensorRow(
        "sim", forms: ["sim:tags"], worksOffline: true,
        devices: { [NamedDevice(name: "sim:tags", about: "two tags in turn", isReal: false)] },
        open: { detail, opening in
          guard detail == "tags" else { return nil }
          return OpenSource(
            SimulatedSource("tags", start: opening.run.clock.now, rate: 1, deliver: opening.deliver) {
              seconds, time in
              let second = Int(seconds.rounded())
              guard second % 2 == 0 else { return [] }
              return [TextLine(time: time, utf8: (second % 4 == 0 ? "0415AB91" : "0415AC07").utf8)]
            })
        }),
      TapeSource.row,
    ],
    standIn: { _, _ in throw SensorError.other("a reader needs a source, such as serial:/dev/ttyUSB0") })
}
