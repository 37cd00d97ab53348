import Glibc

/// `momu midi` with a USB keyboard that is plugged in and pulled, as the kernel's USB stack reports it.
func checkUSBMIDI(_ report: Report) throws {
  let keyboard = try USBKeyboard()
  try keyboard.plug()
  report.check(
    "a USB keyboard is listed by its product name, as a device that sends",
    waitUntil { listed().contains { $0.hasPrefix(USBKeyboard.product) && $0.contains("in (--midi)") } },
    printed(in: "/tmp/list"))
  try checkPulled(keyboard, report)
  try checkOut(keyboard, report)
}

private func checkPulled(_ keyboard: USBKeyboard, _ report: Report) throws {
  let listener = try MoMuListener(USBKeyboard.product, count: 1_000_000)
  try listener.waitUntilConnected(report)
  var returned: [Double] = []
  for _ in 0..<20 {
    try keyboard.send([0x90, 60, 100, 0x90, 64, 100, 0x90, 67, 100])
    pause(0.1)
    try keyboard.pull()
    pause(0.2)
    try keyboard.plug()
    // From here on the kernel has the port again.
    guard waitUntil({ printed(in: "/proc/asound/seq/clients").contains("\"\(USBKeyboard.product)\"") }) else {
      break
    }
    let start = monotonicSeconds()
    _ = waitUntil { keyboard.isRead }
    returned.append(monotonicSeconds() - start)
  }
  listener.stop()
  let heard = try listener.finish()
  let pressed = heard.filter { $0.first == 0x90 }
  let released = heard.filter { $0.first == 0x80 }
  report.check(
    "a USB keyboard that is pulled 20 times during a chord is found again within a second",
    returned.count == 20 && (returned.max() ?? 9) < 1, "\(returned)")
  report.check(
    "each key of all 20 chords is heard", pressed.count == 60, "\(pressed.count) keys of 60")
  report.check(
    "each note of the pulled keyboard is released",
    Set(released.map { $0[1] }) == [60, 64, 67] && released.count == pressed.count,
    "\(released.count) of \(pressed.count)")
}

private func checkOut(_ keyboard: USBKeyboard, _ report: Report) throws {
  let recorder = try keyboard.record(to: "/tmp/usb.bin")
  try finish(
    spawn(
      ["/programs/momu", "midi", "send", "--to", USBKeyboard.product, "cc", "11", "99"], output: "/tmp/send",
      withErrors: true))
  pause(0.3)
  kill(recorder, SIGINT)
  try finish(recorder)
  report.check(
    "a controller reaches the USB device", contents("/tmp/usb.bin") == [0xB0, 11, 99],
    "\(contents("/tmp/usb.bin")) \(printed(in: "/tmp/send"))")
}

private func listed() -> [Substring] {
  guard let process = try? spawn(["/programs/momu", "midi", "list"], output: "/tmp/list", withErrors: true),
    (try? finish(process)) != nil
  else { return [] }
  return printed(in: "/tmp/list").split(separator: "\n")
}

/// Whether a fact holds within ten seconds.
private func waitUntil(_ fact: () -> Bool) -> Bool {
  for _ in 0..<1000 {
    if fact() { return true }
    pause(0.01)
  }
  return false
}

private func contents(_ path: String) -> [UInt8] {
  guard let file = fopen(path, "r") else { return [] }
  defer { fclose(file) }
  var bytes = [UInt8](repeating: 0, count: 4096)
  let count = fread(&bytes, 1, bytes.count, file)
  return Array(bytes.prefix(count))
}

private func monotonicSeconds() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_MONOTONIC, &time)
  return Double(time.tv_sec) + 1e-9 * Double(time.tv_nsec)
}

/// A class-compliant USB keyboard: a gadget of this kernel, plugged into this machine's own virtual host controller.
///
/// - Source: Linux, `Documentation/usb/gadget_configfs.rst` and `Documentation/ABI/testing/configfs-usb-gadget-midi`.
struct USBKeyboard {
  static let product = "Test Keyboard"
  private static let folder = "/sys/kernel/config/usb_gadget/keyboard"

  init() throws {
    for module in printed(in: "/later-order").split(separator: "\n") {
      // Some are loaded already, because others need them, too.
      try finish(spawn(["/bin/insmod", "/modules/\(module)"], output: "/tmp/insmod", withErrors: true))
    }
    if mount("configfs", "/sys/kernel/config", "configfs", 0, nil) != 0, errno != EBUSY {
      throw Failure(call: "mount configfs")
    }
    let folder = Self.folder
    for path in ["", "/strings/0x409", "/configs/c.1", "/functions/midi.usb0"] {
      guard mkdir(folder + path, 0o755) == 0 || errno == EEXIST else {
        throw Failure(call: "mkdir \(folder)\(path)")
      }
    }
    try save("0x1d6b", to: "\(folder)/idVendor")
    try save("0x0104", to: "\(folder)/idProduct")
    try save(Self.product, to: "\(folder)/strings/0x409/product")
    // The name of the card at the keyboard's side, to which its player writes.
    try save("player", to: "\(folder)/functions/midi.usb0/id")
    guard symlink("\(folder)/functions/midi.usb0", "\(folder)/configs/c.1/midi.usb0") == 0 || errno == EEXIST
    else { throw Failure(call: "symlink") }
  }

  /// Plugs it in.
  func plug() throws { try save("dummy_udc.0\n", to: "\(Self.folder)/UDC") }

  /// Pulls its plug.
  func pull() throws { try save("\n", to: "\(Self.folder)/UDC") }

  /// Whether a program reads its port.
  var isRead: Bool {
    let clients = printed(in: "/proc/asound/seq/clients")
    guard let start = clients.firstRange(of: "\"\(Self.product)\"") else { return false }
    let own = clients[start.upperBound...]
    let end = own.firstRange(of: "\nClient ")?.lowerBound ?? own.endIndex
    return own[..<end].contains("Connecting To:")
  }

  /// Sends bytes as its keys do.
  func send(_ bytes: [UInt8]) throws {
    let hex = bytes.map { String($0, radix: 16) }.joined(separator: " ")
    try finish(spawn(["/programs/amidi", "-p", "hw:player,0", "-S", hex]))
  }

  /// Records the bytes that are sent to it, until it is interrupted.
  func record(to path: String) throws -> pid_t {
    let recorder = try spawn(["/programs/amidi", "-p", "hw:player,0", "-r", path], output: "/tmp/amidi")
    pause(0.5)
    return recorder
  }
}
