import Glibc
import MoMu
import MoSensing
import Synchronization

/// Pins through the kernel's character device: the rig reads a switch and sets a relay.
func checkGPIO(_ report: Report) throws {
  try finish(spawn(["/bin/ip", "link", "set", "lo", "up"]))
  let chip = try VirtualGPIOChip()
  chip.put(3, true)
  try waitUntil("the kernel creates a chip", report) { access("/dev/gpiochip0", F_OK) == 0 }

  let changes = Mutex<[(value: Float, time: HostTime)]>([])
  do {
    let door = try MoSensor("gpio:\(VirtualGPIOChip.label)/3?active=low", nil)
    let token = door.addCallback { value, _ in
      let time = SystemClock().now
      changes.withLock { $0.append((value, time)) }
    }
    defer { token.cancel() }
    try waitUntil("an open switch is 0 immediately", report) {
      changes.withLock { $0.map(\.value) } == [0] || door.value == 0 && door.time > .zero
    }
    changes.withLock { $0 = [] }
    let clock = SystemClock()
    let begun = clock.now
    for step in 0..<20 {
      chip.put(3, step % 2 == 1)
      // The driver polls the chip a hundred times a second.
      pause(0.05)
    }
    try waitUntil("each of 20 changes arrives, once and in order", report) {
      changes.withLock { $0.map(\.value) } == (0..<20).map { $0 % 2 == 0 ? 1 : 0 }
    }
    let last = changes.withLock { $0.last?.time ?? .zero }
    report.check(
      "the kernel's timestamp is between the change and its callback",
      door.time >= begun && door.time <= last, "\(door.time.seconds(since: begun)) s")
    var said = "it was taken twice"
    do { _ = try MoSensor("gpio:gpiochip0/3", nil) } catch { said = "\(error)" }
    report.check("a pin in use is reported", said.contains("is used by another"), said)
  }

  try save(
    """
    [rig]
    listen = 9001
    [output relay]
    device = gpio:gpiochip0/5
    address = /relay
    timeout = 1
    safe = 0
    [output valve]
    device = gpio:gpiochip0/6?active=low
    address = /valve
    timeout = 0
    """, to: "/tmp/outputs.conf")
  let rig = try spawn(["/programs/momu-rig", "/tmp/outputs.conf"])
  try waitUntil(
    "a rig sets its pins to their safe values at the start: off is high where low is active", report
  ) {
    chip.output(5) == false && chip.output(6) == true
  }
  // No other program may use a pin that is an output of the rig.
  try send("/relay", 1)
  try send("/valve", 1)
  try waitUntil("a message switches a relay", report) { chip.output(5) == true }
  try waitUntil("a message switches a valve that opens at the low level", report) { chip.output(6) == false }
  try waitUntil("a second without a message sets the relay to its safe value", report) {
    chip.output(5) == false
  }
  report.check("an output without a timeout keeps its value", chip.output(6) == false)
  try send("/relay", 1)
  try waitUntil("a message switches it again", report) { chip.output(5) == true }
  kill(rig, SIGTERM)
  let status = try finish(rig)
  report.check("SIGTERM ends the rig, with status 0", status == 0, "\(status)")
  // The driver leaves a released pin as an output.
  report.check(
    "SIGTERM leaves both outputs at their safe values", chip.output(5) != true && chip.output(6) != false,
    "\(String(describing: chip.output(5))) \(String(describing: chip.output(6)))")

  let crashed = try spawn(["/programs/momu-rig", "/tmp/outputs.conf"])
  try waitUntil("a rig runs again", report) {
    try? send("/valve", 1)
    return chip.output(6) == false
  }
  kill(crashed, SIGKILL)
  _ = try? finish(crashed)
  let safe = try finish(spawn(["/programs/momu-rig", "--safe", "/tmp/outputs.conf"]))
  report.check(
    "--safe sets the valve to its safe value after a rig was killed",
    safe == 0 && chip.output(6) != false,
    "\(safe)")
  chip.unplug()
  try waitUntil("a chip that is pulled out is gone", report) { access("/dev/gpiochip0", F_OK) != 0 }
}

/// Sends one OSC message with a float, without MoMu.
private func send(_ address: String, _ value: Float) throws {
  let file = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
  defer { close(file) }
  var to = sockaddr_in()
  to.sin_family = sa_family_t(AF_INET)
  to.sin_port = UInt16(9001).bigEndian
  to.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
  var bytes = Array(address.utf8)
  repeat { bytes.append(0) } while bytes.count % 4 != 0
  bytes += Array(",f\0\0".utf8)
  withUnsafeBytes(of: value.bitPattern.bigEndian) { bytes += Array($0) }
  let count = withUnsafePointer(to: &to) { pointer in
    pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
      sendto(file, bytes, bytes.count, 0, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
    }
  }
  guard count == bytes.count else { throw Failure(call: "sendto") }
}
