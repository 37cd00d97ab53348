import CEvdev
import Glibc
import Synchronization

/// A game pad with two motors, made by uinput: it answers the kernel's requests to a force feedback device.
///
/// libevdev makes no such devices: an upload waits in the kernel until the device confirms it.
///
/// - Source: linux/uinput.h and linux/input.h, whose structures are written here byte by byte.
final class VirtualPad: Sendable {
  /// A command to a motor.
  struct Rumble: Equatable {
    /// The kernel's number of the effect.
    var effect: Int32
    var strong: UInt16
    var weak: UInt16
    var milliseconds: UInt16
  }

  /// The path of the device, such as /dev/input/event3.
  let path: String
  private let file: Int32
  private let isOver = Atomic<Bool>(false)
  private let state = Mutex(State())
  private let far: Mutex<Background?> = Mutex(nil)

  private struct State {
    var effects: [Int32: Rumble] = [:]
    var played: [Rumble] = []
    var erased = 0
  }

  /// Ioctls of linux/uinput.h on a machine of 64 bits.
  private enum Request {
    static let create: UInt = 0x5501
    static let destroy: UInt = 0x5502
    static let setUp: UInt = 0x405C_5503
    static let eventBit: UInt = 0x4004_5564
    static let keyBit: UInt = 0x4004_5565
    static let feltBit: UInt = 0x4004_556B
    static let beginUpload: UInt = 0xC068_55C8
    static let endUpload: UInt = 0x4068_55C9
    static let beginErase: UInt = 0xC00C_55CA
    static let endErase: UInt = 0x400C_55CB
    /// UI_GET_SYSNAME with room for 64 bytes.
    static let name: UInt = 0x8040_552C
  }

  /// - Parameter canRumble: false for a pad without motors.
  init(_ name: String, canRumble: Bool = true) throws {
    let file = open("/dev/uinput", O_RDWR | O_NONBLOCK | O_CLOEXEC)
    guard file >= 0 else { throw Failure(call: "/dev/uinput") }
    func ask(_ request: UInt, _ value: Int32) throws {
      guard ioctl(file, request, value) >= 0 else { throw Failure(call: "uinput \(request)") }
    }
    try ask(Request.eventBit, EV_KEY)
    try ask(Request.keyBit, BTN_SOUTH)
    if canRumble {
      try ask(Request.eventBit, EV_FF)
      try ask(Request.feltBit, FF_RUMBLE)
    }
    // struct uinput_setup: bus, vendor, product and version; 80 bytes of name; the number of simultaneous effects.
    var setup = [UInt8](repeating: 0, count: 92)
    setup[0] = UInt8(BUS_USB)
    for (index, byte) in name.utf8.prefix(79).enumerated() { setup[8 + index] = byte }
    setup[88] = canRumble ? 4 : 0
    guard ioctl(file, Request.setUp, &setup) >= 0, ioctl(file, Request.create) >= 0 else {
      throw Failure(call: "uinput")
    }
    self.file = file
    path = try Self.node(of: file)
    far.withLock { $0 = Background { [self] in answer() } }
  }

  /// The commands so far.
  var played: [Rumble] { state.withLock { $0.played } }
  /// The number of effects that the kernel has erased.
  var erased: Int { state.withLock { $0.erased } }

  /// Pulls the plug.
  func unplug() throws {
    guard !isOver.exchange(true, ordering: .relaxed) else { return }
    try far.withLock { $0 }?.wait()
    _ = ioctl(file, Request.destroy)
    close(file)
  }

  /// `/sys/devices/virtual/input/inputN/eventM` is `/dev/input/eventM`.
  private static func node(of file: Int32) throws -> String {
    var name = [UInt8](repeating: 0, count: 64)
    guard ioctl(file, Request.name, &name) >= 0 else { throw Failure(call: "UI_GET_SYSNAME") }
    let folder = "/sys/devices/virtual/input/" + String(decoding: name.prefix { $0 != 0 }, as: UTF8.self)
    guard let directory = opendir(folder) else { throw Failure(call: folder) }
    defer { closedir(directory) }
    while let entry = readdir(directory) {
      let found = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if found.hasPrefix("event") { return "/dev/input/" + found }
    }
    throw Failure("no event node in \(folder)")
  }

  /// The device's side: accepts uploads and erasures, and records the commands.
  private func answer() {
    var event = input_event()
    while !isOver.load(ordering: .relaxed) {
      var request = pollfd(fd: file, events: Int16(POLLIN), revents: 0)
      guard poll(&request, 1, 20) > 0 else { continue }
      while read(file, &event, MemoryLayout<input_event>.size) == MemoryLayout<input_event>.size {
        // EV_UINPUT: 1 is an upload, 2 an erasure.
        switch (Int32(event.type), Int32(event.code)) {
        case (0x101, 1): upload(UInt32(bitPattern: event.value))
        case (0x101, 2): erase(UInt32(bitPattern: event.value))
        case (EV_FF, let effect) where event.value > 0:
          state.withLock { state in
            if let rumble = state.effects[effect] { state.played.append(rumble) }
          }
        default: break
        }
      }
    }
  }

  /// struct uinput_ff_upload: the request, the result, the effect, and the effect that it replaces.
  private func upload(_ number: UInt32) {
    var words = [UInt16](repeating: 0, count: 52)
    (words[0], words[1]) = (UInt16(truncatingIfNeeded: number), UInt16(number >> 16))
    guard ioctl(file, Request.beginUpload, &words) >= 0 else { return }
    // struct ff_effect begins at word 4: type, id, direction, trigger ×2, length, delay; its union at word 12.
    if words[4] == UInt16(FF_RUMBLE) {
      let effect = Int32(Int16(bitPattern: words[5]))
      let rumble = Rumble(effect: effect, strong: words[12], weak: words[13], milliseconds: words[9])
      state.withLock { $0.effects[effect] = rumble }
    }
    (words[2], words[3]) = (0, 0)
    _ = ioctl(file, Request.endUpload, &words)
  }

  /// struct uinput_ff_erase: the request, the result, the effect.
  private func erase(_ number: UInt32) {
    var words: [UInt32] = [number, 0, 0]
    guard ioctl(file, Request.beginErase, &words) >= 0 else { return }
    let effect = Int32(bitPattern: words[2])
    state.withLock { state in
      state.effects[effect] = nil
      state.erased += 1
    }
    words[1] = 0
    _ = ioctl(file, Request.endErase, &words)
  }
}
