import CEvdev
import Glibc
import MoSensing

/// The rule that `momu doctor --udev-rule` prints, read by udev itself: it has its effect on each kind of device.
///
/// Of udev's own rules only those are used that classify input devices and name serial ports. So our rule alone sets
/// the rights of each device.
func checkUdev(_ report: Report) throws {
  for folder in ["/run", "/etc/udev", "/etc/udev/rules.d"] { mkdir(folder, 0o755) }
  try save("root:x:0:\ninput:x:104:\ndialout:x:20:anna\n", to: "/etc/group")
  try finish(spawn(["/programs/momu", "doctor", "--udev-rule"], output: "/etc/udev/rules.d/60-momu.rules"))
  let udev = try spawn([udevd], output: "/tmp/udevd", withErrors: true)
  defer {
    kill(udev, SIGTERM)
    _ = try? finish(udev)
  }
  try waitUntil("udev runs", report) { access("/run/udev/control", F_OK) == 0 }

  let motion = try VirtualInput(
    "Controller Motion Sensors", property: INPUT_PROP_ACCELEROMETER,
    axes: [ABS_X, ABS_Y, ABS_Z].map { ($0, -32_768, 32_768, 8192) })
  let pad = try VirtualInput(
    "Controller", axes: [ABS_X, ABS_Y].map { ($0, 0, 255, 0) }, keys: [BTN_SOUTH, BTN_EAST])
  let screen = try VirtualInput(
    "Touch screen", property: INPUT_PROP_DIRECT,
    axes: [ABS_X, ABS_Y, ABS_MT_POSITION_X, ABS_MT_POSITION_Y].map { ($0, 0, 999, 10) }
      + [(ABS_MT_SLOT, 0, 9, 0), (ABS_MT_TRACKING_ID, 0, 65_535, 0)],
    keys: [BTN_TOUCH])
  for (kind, device) in [("an accelerometer", motion), ("a pad", pad), ("a touch screen", screen)] {
    try waitUntil("\(kind) is readable and writable for the group input", report) {
      Rights(of: device.path) == Rights(group: 104, mode: 0o660)
    }
    try waitUntil("\(kind) is given to the logged-in user", report) { hasSeat(device.path) }
  }
  let keyboard = try VirtualInput("Keyboard", axes: [], keys: (KEY_ESC...KEY_D).map { $0 })
  try waitUntil("udev has seen a keyboard", report) {
    record(of: keyboard.path).contains("ID_INPUT_KEYBOARD=1")
  }
  report.check(
    "udev leaves the keyboard unchanged", !hasSeat(keyboard.path) && Rights(of: keyboard.path)?.group == 0,
    record(of: keyboard.path))

  let hub = try VirtualSensorHub()
  defer { hub.unplug() }
  let sensor = "/sys/bus/iio/devices/iio:device0"
  try waitUntil("a device of Industrial I/O belongs to the group input", report) {
    Rights(of: "/dev/iio:device0") == Rights(group: 104, mode: 0o660)
  }
  for name in ["buffer/enable", "buffer/length", "trigger/current_trigger", "current_timestamp_clock"] {
    try waitUntil("the group input may switch on scans: \(name)", report) {
      Rights(of: "\(sensor)/\(name)").map { $0.group == 104 && $0.mode & 0o060 == 0o060 } ?? false
    }
  }
  var count = 0
  for axis in ["accel_x", "accel_y", "accel_z", "anglvel_x", "anglvel_y", "anglvel_z", "timestamp"] {
    let path = "\(sensor)/scan_elements/in_\(axis)_en"
    guard access(path, F_OK) == 0 else { continue }
    count += 1
    try waitUntil("the group input may choose \(axis)", report) { Rights(of: path)?.group == 104 }
  }
  report.check("the group input may choose three axes and the timestamp", count == 4, "\(count)")
  report.check(
    "the sensor's other attributes keep their owner",
    Rights(of: "\(sensor)/name") == Rights(group: 0, mode: 0o444),
    "\(Rights(of: "\(sensor)/name").map { "\($0)" } ?? "none")")

  try checkPort(report)

  let said = printed(in: "/tmp/udevd")
  report.check("udev finds no mistake in the rule", !said.contains("60-momu.rules"), said)
}

/// Boards on a serial line: one that existed before the rule, and one that is plugged in.
private func checkPort(_ report: Report) throws {
  let board = try SerialBoard()
  let port = SerialBoard.port
  let mine = Rights(group: 20, mode: 0o660)
  report.check("a board plugged in before the rule does not belong to dialout", Rights(of: port) != mine)
  // The commands that the package runs at installation, and that a user types after the doctor printed them.
  try finish(spawn(["/programs/udevadm", "trigger", "--action=change", "--subsystem-match=tty"]))
  try waitUntil("the board belongs to dialout after udev is triggered", report) {
    Rights(of: port) == mine && hasSeat(port)
  }
  let tags = record(of: port)
  report.check(
    "ModemManager does not probe the board",
    tags.contains("E:ID_MM_DEVICE_IGNORE=1\n") && tags.contains("E:ID_MM_PORT_IGNORE=1\n"), tags)
  report.check("the machine's own port is not treated as a board", Rights(of: "/dev/ttyS1")?.group == 0)

  try finish(spawn(["/programs/momu", "devices"], output: "/tmp/devices"))
  let devices = printed(in: "/tmp/devices")
  let name = devices.split(separator: " ").first {
    $0.hasPrefix("serial:/dev/serial/by-id/usb-QEMU_QEMU_USB_SERIAL")
  }
  report.check("momu devices names it by udev's link", name != nil, devices)
  guard let name else { return }
  try checkPeople(board, report)
  let sensor = try MoSensor(String(name), "ready")
  try board.hasBegun("its lines are received by that name", to: sensor, report)
  let link = String(name.dropFirst("serial:".count))
  try board.unplug()
  try waitUntil("the name of an unplugged board is gone", report) { access(link, F_OK) != 0 }
  try board.plug()
  try waitUntil("a board that is plugged in is readable and writable for the group dialout", report) {
    Rights(of: port) == mine && hasSeat(port)
  }
  try board.hasBegun("its lines are received again by that name", to: sensor, report)
}

/// A user in the group reads the board; a user outside it is told which command to type.
private func checkPeople(_ board: SerialBoard, _ report: Report) throws {
  let people = ["anna:x:1000:1000::/tmp:/bin/sh", "ben:x:1001:1001::/tmp:/bin/sh"]
  try save((["root:x:0:0:root:/tmp:/bin/sh"] + people).map { "\($0)\n" }.joined(), to: "/etc/passwd")
  func said(_ name: String, _ line: String) throws -> String {
    let speaking = Sending(board)
    let program = try spawn(
      ["/bin/su", name, "-c", "/programs/\(line)"], output: "/tmp/\(name)", withErrors: true)
    // Meanwhile the board sends.
    let speech = Background {
      while kill(program, 0) == 0 {
        try speaking.value.send("knob 0.5\n")
        pause(0.02)
      }
    }
    try finish(program)
    try speech.wait()
    return printed(in: "/tmp/\(name)")
  }
  let advice = "sudo usermod -aG dialout ben, then log in again"
  let (hers, his) = (try said("anna", "momu devices"), try said("ben", "momu devices"))
  report.check("momu devices tells a user outside the group how to join it", his.contains(advice), his)
  report.check(
    "momu devices has no advice for a user in the group",
    hers.contains("QEMU USB SERIAL") && !hers.contains("usermod -aG dialout"),
    hers)
  let scope = "momu scope serial:\(SerialBoard.port) --seconds 2"
  let (seen, unseen) = (try said("anna", scope), try said("ben", scope))
  report.check("a user in the group reads the board", seen.contains("knob"), seen)
  report.check(
    "a user outside the group gets a permission error",
    !unseen.contains("knob") && unseen.contains("dialout"), unseen)
}

/// The path of udev's daemon in Debian; `initramfs` copies it if it exists.
let udevd = "/lib/systemd/systemd-udevd"

/// The owner, group and mode of a file.
private struct Rights: Equatable {
  var group: gid_t
  var mode: mode_t

  init(group: gid_t, mode: mode_t) { (self.group, self.mode) = (group, mode) }

  init?(of path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    (group, mode) = (status.st_gid, status.st_mode & 0o777)
  }
}

/// Returns udev's record of a device; see sd-device's device-private.c.
private func record(of path: String) -> String {
  var status = stat()
  guard stat(path, &status) == 0 else { return "" }
  // The kernel's 32 bits of a device number: 12 for the driver, 20 for the device.
  let number = UInt64(status.st_rdev)
  return printed(in: "/run/udev/data/c\(number >> 8 & 0xfff):\(number & 0xff | number >> 12 & 0xfff00)")
}

/// Returns whether the session manager gives the device to the logged-in user.
private func hasSeat(_ path: String) -> Bool { record(of: path).split(separator: "\n").contains("G:uaccess") }
