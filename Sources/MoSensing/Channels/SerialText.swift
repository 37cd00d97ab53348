import Glibc
import MoCore
import MoOSC
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
      decoder.decode(bytes.span.extracting(first: count)) { deliver(TextLine(time: now, utf8: $0)) }
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
    option: "MoText", noun: "a reader of tags or codes", choices: "serial:/dev/ttyACM0", nature: .events,
    rows: [
      SerialText.row, NetReadings.row(),
      .simulated("tags", "two tags in turn", tags), TapeSource.row,
    ],
    standIn: { _, _ in throw SensorError.other("a reader needs a source, such as serial:/dev/ttyUSB0") })

  /// A player that holds two tags to the reader in turn, a tag every two seconds.
  private static let tags: @Sendable (SensorOpenContext<TextLine>) -> any EventSource = { opening in
    SimulatedSource("tags", start: opening.run.clock.now, rate: 1, deliver: opening.deliver) {
      seconds, time in
      let second = Int(seconds.rounded())
      guard second % 2 == 0 else { return [] }
      return [TextLine(time: time, utf8: (second % 4 == 0 ? "0415AB91" : "0415AC07").utf8)]
    }
  }
}

/// A line of text that a device has sent, such as the number of an RFID tag or a bar code.
package struct TextLine: SensorReading {
  /// The OSC address on tapes and in the network, with one text argument (`,s`).
  package static let address = "/momu/text"

  /// The value before the first measurement: an empty line.
  package static var initial: Self { Self(time: .zero, utf8: "".utf8) }

  // Each line is an event of its own.
  package static let canBeThinned = false

  /// The longest text, in bytes.
  package static let longest = 120

  package var time: HostTime
  private var bytes = InlineArray<120, UInt8>(repeating: 0)
  private var count = 0

  /// - Parameter utf8: the bytes of the text; bytes after the first 120 are left out.
  package init(time: HostTime, utf8: some Sequence<UInt8>) {
    self.time = time
    for byte in utf8 {
      guard count < Self.longest else { break }
      bytes[count] = byte
      count += 1
    }
  }

  package init?(time: HostTime, arguments: [OSCArgument]) {
    guard arguments.count == 1, let text = arguments[0].text else { return nil }
    self.init(time: time, utf8: text.utf8)
  }

  /// The text; bytes that are not UTF-8 become replacement characters.
  package var text: String {
    String(decoding: (0..<count).map { bytes[$0] }, as: UTF8.self)
  }

  package var arguments: [OSCArgument] { [.string(text)] }

  package static func == (left: TextLine, right: TextLine) -> Bool {
    left.time == right.time && left.text == right.text
  }
}

/// A decoder from serial data to lines of text.
///
/// A line ends with a carriage return, a line feed, or ETX (03), which readers of RFID tags use. Control characters,
/// and spaces at either end, are left out. An empty line is ignored; a line that is too long is dropped.
package struct TextDecoder {
  private var line: [UInt8] = []
  private var isBroken = false
  /// The number of lines that were dropped because they had more than `TextLine.longest` bytes.
  package private(set) var dropped = 0

  package init() {}

  /// Decodes the next bytes, and passes each line to `emit` as soon as the line is complete.
  package mutating func decode(_ bytes: Span<UInt8>, emit: (ArraySlice<UInt8>) -> Void) {
    for index in bytes.indices {
      let byte = bytes[index]
      switch byte {
      case 0x0A, 0x0D, 0x03: end(emit)
      case ..<0x20, 0x7F: break
      default:
        guard line.count < TextLine.longest else {
          isBroken = true
          break
        }
        line.append(byte)
      }
    }
  }

  private mutating func end(_ emit: (ArraySlice<UInt8>) -> Void) {
    defer {
      line.removeAll(keepingCapacity: true)
      isBroken = false
    }
    if isBroken {
      dropped += 1
      return
    }
    let text = line.drop { $0 == 0x20 }
    guard let last = text.lastIndex(where: { $0 != 0x20 }) else { return }
    emit(text[...last])
  }
}
