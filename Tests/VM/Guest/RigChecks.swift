import CEvdev
import Glibc

/// `momu rig` as a program: a device that is plugged in, pulled out, and plugged in again under another number.
func checkRig(_ report: Report) throws {
  try finish(spawn(["/bin/ip", "link", "set", "lo", "up"]))
  let receiver = try OSCReceiver(port: 9000)
  try save(
    "[rig]\nto = 127.0.0.1:9000\nstatistics = 0\n[accel]\nsource = evdev:Virtual accelerometer\n",
    to: "/tmp/rig.conf")
  let rig = try spawn(["/programs/momu", "rig", "/tmp/rig.conf"])

  let first = Sending<VirtualAccelerometer?>(try VirtualAccelerometer())
  let path = first.value?.path ?? ""
  var sent: Int32 = 0
  /// Changes the x value again and again until a message arrives, since the rig polls once a second.
  func isHeard(_ device: VirtualAccelerometer?) -> Bool {
    sent += 1
    device?.send(Sample(x: sent, y: 0, z: VirtualAccelerometer.countsPerG))
    pause(0.02)
    return receiver.latest() == Float(sent) / Float(VirtualAccelerometer.countsPerG)
  }
  try waitUntil("a device plugged in after the rig's start is read by its name", report) {
    isHeard(first.value)
  }
  _ = receiver.all()
  // The kernel's receive buffer holds some five hundred messages, so they are read as they arrive.
  var received: [Float] = []
  for step in 0..<1000 {
    first.value?.send(Sample(x: Int32(step) - 500, y: Int32(step), z: -Int32(step)))
    pause(0.005)
    received += receiver.all().map(\.0)
  }
  pause(0.2)
  received += receiver.all().map(\.0)
  // The value is repeated for a while, since an unchanged value is no new reading.
  let changes = received.indices.filter { $0 == 0 || received[$0] != received[$0 - 1] }.map { received[$0] }
  let wanted = (0..<1000).map { Float($0 - 500) / Float(VirtualAccelerometer.countsPerG) }
  report.check(
    "sends 1000 readings, each once, in order, exact to the device's last bit", changes == wanted,
    "\(changes.count)")

  first.value = nil
  pause(1.5)
  // Another device takes its number.
  let other = try VirtualInput("Another device", property: INPUT_PROP_POINTER, axes: [(ABS_X, 0, 10, 0)])
  report.check("another device has its number now", other.path == path, "\(other.path), \(path)")
  _ = receiver.all()
  let second = Sending<VirtualAccelerometer?>(try VirtualAccelerometer())
  report.check("it comes back under another number", second.value?.path != path, path)
  try waitUntil("a returning device is read again", report) { isHeard(second.value) }

  let list = try spawn(["/programs/momu", "devices"], output: "/tmp/devices")
  try finish(list)
  let text = printed(in: "/tmp/devices")
  report.check(
    "momu devices names it as the rig does",
    text.contains("evdev:Virtual accelerometer") && text.contains("\(second.value?.path ?? "-"): accel"), text
  )
  try finish(spawn(["/programs/ShakeDrum", "--list-devices"], output: "/tmp/listed"))
  func cards(_ text: String) -> [Substring] {
    text.split(separator: "\n").compactMap { $0.split(separator: " ").first }.filter { $0.hasPrefix("hw:") }
      .sorted()
  }
  let listed = cards(printed(in: "/tmp/listed"))
  report.check(
    "momu devices names all sound cards, as ALSA itself does", !listed.isEmpty && cards(text) == listed,
    "\(cards(text)), \(listed)")

  kill(rig, SIGTERM)
  let status = try finish(rig)
  report.check("SIGTERM ends it, with status 0", status == 0, "\(status)")
}

/// Receives OSC messages of three floats, without MoMu.
private final class OSCReceiver {
  private let file: Int32

  init(port: UInt16) throws {
    file = socket(AF_INET, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0)
    var size: Int32 = 1 << 20
    setsockopt(file, SOL_SOCKET, SO_RCVBUF, &size, socklen_t(MemoryLayout<Int32>.size))
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let bound = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(file, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard bound == 0 else { throw Failure(call: "bind") }
  }

  deinit { close(file) }

  /// Returns the messages so far.
  ///
  /// `/momu/accel ,fff` is 12 bytes of address, 8 of types, and three big-endian floats.
  func all() -> [(Float, Float, Float)] {
    var readings: [(Float, Float, Float)] = []
    var bytes = [UInt8](repeating: 0, count: 1500)
    while case let count = recv(file, &bytes, bytes.count, 0), count > 0 {
      guard count == 32, bytes.starts(with: Array("/momu/accel\0,fff\0".utf8)) else { continue }
      func float(_ place: Int) -> Float {
        Float(bitPattern: bytes[place..<(place + 4)].reduce(0) { $0 << 8 | UInt32($1) })
      }
      readings.append((float(20), float(24), float(28)))
    }
    return readings
  }

  /// The x value of the latest message.
  func latest() -> Float? { all().last?.0 }
}
