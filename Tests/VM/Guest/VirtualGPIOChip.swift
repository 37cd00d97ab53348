import Glibc
import Synchronization

/// A CP2112, a USB chip with eight pins, made by uhid.
///
/// Of the chips that Debian's kernel supports, it is one that reports changes.
///
/// - Source: Silicon Labs AN495, *CP2112 Interface Specification*, 5 (feature reports 0x02 to 0x06); the kernel's
///   include/uapi/linux/uhid.h, for the messages.
final class VirtualGPIOChip: @unchecked Sendable {
  // Unchecked: the descriptor does not change, and a lock guards the state.
  private let file: Int32
  private let state = Mutex(State())
  private var servant: Background?

  /// The label that the kernel gives it.
  static let label = "cp2112_gpio"

  private struct State {
    /// The directions, one bit for each pin: 1 is an output.
    var outputs: UInt8 = 0
    /// The levels of the outputs and of the inputs.
    var (driven, levels): (UInt8, UInt8) = (0, 0)
    var transfer = [UInt8]([6, 0, 1, 0x86, 0xA0, 2, 0, 0, 0, 0, 0, 0, 0, 0])
    var isOver = false

    var values: UInt8 { driven & outputs | levels & ~outputs }
  }

  private enum Message {
    static let destroy: UInt32 = 1
    static let getReport: UInt32 = 9
    static let getReply: UInt32 = 10
    static let create: UInt32 = 11
    static let setReport: UInt32 = 13
    static let setReply: UInt32 = 14
  }

  init() throws {
    file = open("/dev/uhid", O_RDWR | O_NONBLOCK | O_CLOEXEC)
    guard file >= 0 else { throw Failure(call: "open /dev/uhid") }
    // A vendor-defined collection, with the feature reports that the driver requests.
    let reports: [(UInt8, UInt8)] = [(2, 4), (3, 1), (4, 2), (5, 2), (6, 13), (0x20, 1)]
    let model: [UInt8] =
      [0x06, 0x00, 0xFF, 0x09, 0x01, 0xA1, 0x01, 0x15, 0x00, 0x26, 0xFF, 0x00, 0x75, 0x08]
      + reports.flatMap { [0x85, $0.0, 0x95, $0.1, 0x09, 0x01, 0xB1, 0x02] } + [0xC0]
    var create: [UInt8] = Array("Virtual CP2112".utf8)
    create += [UInt8](repeating: 0, count: 256 - create.count)
    create += half(UInt16(model.count)) + half(3) + word(0x10C4) + word(0xEA90) + word(1) + word(0) + model
    try send(Message.create, create)
    servant = Background { [weak self] in
      while let self, !self.state.withLock({ $0.isOver }) {
        self.answer()
        pause(0.0005)
      }
    }
  }

  /// Returns the level of a pin; nil while it is not an output.
  func output(_ pin: Int) -> Bool? {
    state.withLock { $0.outputs >> UInt8(pin) & 1 == 1 ? $0.driven >> UInt8(pin) & 1 == 1 : nil }
  }

  /// Sets the level at an input pin.
  func put(_ pin: Int, _ isHigh: Bool) {
    let bit = UInt8(1) << UInt8(pin)
    state.withLock { $0.levels = isHigh ? $0.levels | bit : $0.levels & ~bit }
  }

  /// Pulls the plug.
  func unplug() {
    // The driver sends requests until it is gone, and they are answered.
    try? send(Message.destroy, [])
    state.withLock { $0.isOver = true }
    try? servant?.wait()
    close(file)
  }

  private func answer() {
    var event = [UInt8](repeating: 0, count: 4380)
    while read(file, &event, event.count) > 0 {
      let kind = event[0..<4].reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
      let (request, report) = (Array(event[4..<8]), event[8])
      switch kind {
      case Message.getReport:
        let bytes: [UInt8] = state.withLock { state in
          switch report {
          case 2: [2, state.outputs, state.outputs, 0, 0]
          case 3: [3, state.values]
          case 5: [5, 0x0C, 2]
          case 6: state.transfer
          default: [report, 0]
          }
        }
        try? send(Message.getReply, request + half(0) + half(UInt16(bytes.count)) + bytes)
      case Message.setReport:
        let bytes = Array(event[12..<(12 + Int(event[10]) + Int(event[11]) << 8)])
        state.withLock { state in
          switch report {
          case 2: state.outputs = bytes[1]
          case 4: state.driven = state.driven & ~bytes[2] | bytes[1] & bytes[2]
          case 6: state.transfer = bytes
          default: break
          }
        }
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
