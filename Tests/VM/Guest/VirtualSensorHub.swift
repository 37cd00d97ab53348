import Glibc
import Synchronization

/// A HID sensor hub with an accelerometer and a gyroscope, made by uhid, like that of a folding laptop.
///
/// The kernel's hid-sensor-hub makes two devices of Industrial I/O of it. Its accelerometer counts in thousandths of a
/// g, its gyroscope in tenths of a degree per second.
///
/// - Source: HID Usage Tables 1.12, page 20 (sensors); the kernel's include/uapi/linux/uhid.h, for the messages.
final class VirtualSensorHub: @unchecked Sendable {
  // Unchecked: the descriptor does not change, and only the answering thread uses `features`.
  private let file: Int32
  private var features: [UInt8: [UInt8]] = [:]
  private let isOver = Mutex(false)
  private var servant: Background?

  static let accel: UInt8 = 1
  static let gyro: UInt8 = 2

  private enum Message {
    static let destroy: UInt32 = 1
    static let getReport: UInt32 = 9
    static let getReply: UInt32 = 10
    static let create: UInt32 = 11
    static let input: UInt32 = 12
    static let setReport: UInt32 = 13
    static let setReply: UInt32 = 14
  }

  init() throws {
    file = open("/dev/uhid", O_RDWR | O_NONBLOCK | O_CLOEXEC)
    guard file >= 0 else { throw Failure(call: "open /dev/uhid") }
    let model =
      [0x05, 0x20, 0x09, 0x01, 0xA1, 0x00]
      + VirtualSensorHub.sensor(0x73, report: VirtualSensorHub.accel, values: 0x53, exponent: 0x0D)
      + VirtualSensorHub.sensor(0x76, report: VirtualSensorHub.gyro, values: 0x57, exponent: 0x0F) + [0xC0]
    var create: [UInt8] = Array("Virtual sensor hub".utf8)
    create += [UInt8](repeating: 0, count: 256 - create.count)
    create += half(UInt16(model.count)) + half(3) + word(0x1234) + word(0x5678) + word(1) + word(0) + model
    try send(Message.create, create)
    servant = Background { [weak self] in
      while let self, !self.isOver.withLock({ $0 }) {
        self.answer()
        pause(0.0005)
      }
    }
  }

  /// Pulls the plug.
  func unplug() {
    isOver.withLock { $0 = true }
    try? servant?.wait()
    try? send(Message.destroy, [])
    close(file)
  }

  /// Sends one report immediately.
  func send(_ report: UInt8, _ x: Int16, _ y: Int16, _ z: Int16) throws {
    let bytes = [report] + [x, y, z].flatMap { half(UInt16(bitPattern: $0)) }
    try send(Message.input, half(UInt16(bytes.count)) + bytes)
  }

  /// Returns a sensor's collection: its mode of reporting, its power state, its interval, and three values of 16 bits.
  private static func sensor(_ usage: UInt8, report: UInt8, values: UInt8, exponent: UInt8) -> [UInt8] {
    func choice(_ property: UInt8, _ usages: [UInt8]) -> [UInt8] {
      [0x0A, property, 0x03, 0x15, 0x00, 0x25, UInt8(usages.count - 1), 0x75, 0x08, 0x95, 0x01, 0xA1, 0x02]
        + usages.flatMap { [0x0A, $0, 0x08] } + [0xB1, 0x00, 0xC0]
    }
    let interval: [UInt8] = [
      0x0A, 0x0E, 0x03, 0x15, 0x00, 0x27, 0xFF, 0xFF, 0xFF, 0x7F, 0x75, 0x20, 0x95, 0x01, 0x55, 0x00, 0xB1,
      0x02,
    ]
    let axes: [UInt8] = (0..<3).flatMap { axis -> [UInt8] in
      [
        0x0A, values + UInt8(axis), 0x04, 0x16, 0x01, 0x80, 0x26, 0xFF, 0x7F, 0x75, 0x10, 0x95, 0x01, 0x55,
        exponent, 0x81, 0x02,
      ]
    }
    return [0x05, 0x20, 0x09, usage, 0xA1, 0x00, 0x85, report]
      + choice(0x16, [0x40, 0x41, 0x42, 0x43, 0x44, 0x45])
      + choice(0x19, [0x50, 0x51, 0x52, 0x53, 0x54, 0x55]) + interval + axes + [0xC0]
  }

  /// Answers all requests of the kernel, which waits for the answers.
  private func answer() {
    var event = [UInt8](repeating: 0, count: 4380)
    while read(file, &event, event.count) > 0 {
      let kind = event[0..<4].reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
      let request = Array(event[4..<8])
      let report = event[8]
      switch kind {
      case Message.getReport:
        let isFeature = event[9] == 0
        let bytes =
          isFeature
          ? features[report] ?? [report, 1, 1, 10, 0, 0, 0] : [report, 0, 0, 0, 0, 0xE8, 0x03]
        try? send(Message.getReply, request + half(0) + half(UInt16(bytes.count)) + bytes)
      case Message.setReport:
        let size = Int(event[10]) | Int(event[11]) << 8
        features[report] = Array(event[12..<12 + size])
        try? send(Message.setReply, request + half(0))
      default: break
      }
    }
  }

  private func send(_ kind: UInt32, _ payload: [UInt8]) throws {
    let bytes = word(kind) + payload
    guard write(file, bytes, bytes.count) == bytes.count else { throw Failure(call: "uhid") }
  }

  private func half(_ value: UInt16) -> [UInt8] { [UInt8(value & 0xFF), UInt8(value >> 8)] }
  private func word(_ value: UInt32) -> [UInt8] {
    half(UInt16(value & 0xFFFF)) + half(UInt16(value >> 16))
  }
}
