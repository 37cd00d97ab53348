import CEvdev
import Glibc
import MoMu
import MoSensing
import Synchronization

/// MoTouch on a kernel's touch screen: ten fingers, more than the kernel stores, and a plug that is pulled.
func checkMoTouch(_ report: Report) throws {
  let heard = Mutex<[TouchChange]>([])
  let token = try MoTouch.addCallback { change in heard.withLock { $0.append(change) } }
  defer { token.cancel() }
  report.check(
    "a simulated finger draws if there is no device", MoTouch.source == "sim:circle", MoTouch.source ?? "")

  let screen = Sending<VirtualInput?>(
    try VirtualInput(
      "Virtual touch screen", property: INPUT_PROP_DIRECT,
      axes: [
        (ABS_MT_SLOT, 0, 9, 0), (ABS_MT_TRACKING_ID, 0, 65_535, 0), (ABS_MT_POSITION_X, 0, 1000, 10),
        (ABS_MT_POSITION_Y, 0, 500, 10), (ABS_X, 0, 1000, 10), (ABS_Y, 0, 500, 10),
      ], keys: [BTN_TOUCH]))
  let path = screen.value?.path ?? ""
  try waitUntil("a screen that appears is used", report) { MoTouch.source == "evdev:\(path)" }
  pause(0.1)
  heard.withLock { $0 = [] }

  func finger(_ slot: Int32, _ id: Int32, _ x: Int32) -> [(Int32, Int32, Int32)] {
    [(EV_ABS, ABS_MT_SLOT, slot), (EV_ABS, ABS_MT_TRACKING_ID, id), (EV_ABS, ABS_MT_POSITION_X, x)]
  }
  let clock = SystemClock()
  let begun = clock.now
  screen.value?.send((0..<10).flatMap { finger($0, 100 + $0, 100 * $0 + 50) })
  try waitUntil("ten fingers come down", report) { MoTouch.fingers.count == 10 }
  let first = heard.withLock { $0.first }
  report.check("ten fingers have the same time", first?.changed.count == 10, "\(first?.changed.count ?? 0)")
  report.check(
    "each finger has its position, in fractions and in mm",
    MoTouch.fingers.enumerated().allSatisfy {
      abs($1.x - (0.1 * Float($0) + 0.05)) < 1e-4 && abs(($1.millimetres?.x ?? 0) - 10 * Float($0) - 5) < 1e-3
    })
  let late = first.map { $0.time.seconds(since: begun) } ?? 9
  report.check("the timestamps are the times of the events, within 1 ms", abs(late) < 0.001, "\(late) s")

  // There are three events for each. None may be lost or reported twice, and the queue is never full. A reader without
  // MoMu reads next to it.
  heard.withLock { $0 = [] }
  let reader = Sending(try EventReader(path))
  let stamps = Sending<[Double]>([])
  _ = try reader.value.read()
  try Background {
    for step in 0..<10_000 {
      screen.value?.send([(EV_ABS, ABS_MT_SLOT, 0), (EV_ABS, ABS_MT_POSITION_X, Int32(step % 1000))])
      guard step % 10 == 9 else { continue }
      pause(0.002)
      stamps.value += try reader.value.read().map(\.time)
    }
  }.wait()
  pause(0.1)
  let changes = heard.withLock { $0 }
  let moves = changes.flatMap(\.changed)
  report.check("30,000 events give 10,000 movements", moves.count == 10_000, "\(moves.count)")
  report.check(
    "events keep their order", moves.enumerated().allSatisfy { abs($1.x * 1000 - Float($0 % 1000)) < 0.01 })
  let ahead = rawAhead()
  let off = zip(changes, stamps.value).map { abs(Double($0.time.nanoseconds) * 1e-9 - $1 - ahead) }.max() ?? 9
  report.check(
    "each event has the kernel's timestamp, within 20 µs", stamps.value.count == changes.count && off < 20e-6,
    "\(off) s, \(stamps.value.count) stamps")

  heard.withLock { $0 = [] }
  // More events than the kernel stores, among them one lifted finger and one replaced finger.
  for step in 0..<2000 {
    screen.value?.send([(EV_ABS, ABS_MT_SLOT, 5), (EV_ABS, ABS_MT_POSITION_X, Int32(step % 900))])
  }
  screen.value?.send([(EV_ABS, ABS_MT_SLOT, 0), (EV_ABS, ABS_MT_TRACKING_ID, -1)])
  screen.value?.send([(EV_ABS, ABS_MT_SLOT, 1), (EV_ABS, ABS_MT_TRACKING_ID, -1)])
  screen.value?.send(finger(1, 300, 999))
  try waitUntil("nine fingers are down after more events than the kernel stores", report) {
    MoTouch.fingers.count == 9 && MoTouch.fingers.last.map { abs($0.x - 0.999) < 1e-3 } ?? false
  }
  let ended = Set(heard.withLock { $0 }.flatMap(\.changed).filter { $0.phase == .ended }.map(\.id))
  report.check("two touches have ended, and the new touch has a new identity", ended == [1, 2], "\(ended)")

  screen.value = nil
  try waitUntil("removing a screen ends its touches", report) {
    MoTouch.source == "sim:circle"
      && heard.withLock { $0.contains { $0.changed.contains { $0.phase == .cancelled } } }
  }
  MoTouch.stop()
}

/// Seconds by which the raw clock, which MoMu uses, is ahead of the clock of the kernel's timestamps; the narrowest of
/// many readings.
private func rawAhead() -> Double {
  func read(_ clock: clockid_t) -> Double {
    var now = timespec()
    clock_gettime(clock, &now)
    return Double(now.tv_sec) + Double(now.tv_nsec) * 1e-9
  }
  let looks = (0..<100).map { _ in
    let (before, between, after) = (read(CLOCK_MONOTONIC), read(CLOCK_MONOTONIC_RAW), read(CLOCK_MONOTONIC))
    return (width: after - before, ahead: between - (before + after) / 2)
  }
  return looks.min { $0.width < $1.width }?.ahead ?? 0
}

/// MoGyro and MoButtons on a controller that looks to the kernel like a DualShock 4.
func checkController(_ report: Report) throws {
  // hid-playstation: 8192 counts a g, 1024 counts a degree and second.
  let motion = try VirtualInput(
    "Controller Motion Sensors", property: INPUT_PROP_ACCELEROMETER,
    axes: [ABS_X, ABS_Y, ABS_Z].map { ($0, -32_768, 32_768, 8192) }
      + [ABS_RX, ABS_RY, ABS_RZ].map { ($0, -2_097_152, 2_097_152, 1024) })
  let pad = Sending<VirtualInput?>(
    try VirtualInput(
      "Controller", property: INPUT_PROP_BUTTONPAD,
      axes: [(ABS_HAT0X, -1, 1, 0), (ABS_HAT0Y, -1, 1, 0), (ABS_Z, 0, 255, 0)], keys: [BTN_SOUTH, BTN_EAST]))
  let turned = Mutex<[Rotation]>([])
  let token = try MoGyro.addCallback { rotation in turned.withLock { $0.append(rotation) } }
  defer { token.cancel() }
  report.check("the gyroscope is found", MoGyro.source == "evdev:\(motion.path)", MoGyro.source ?? "")
  // Right, out of the face, towards the player: SDL_sensor.h.
  motion.send([(EV_ABS, ABS_RX, 1024 * 90), (EV_ABS, ABS_RY, -1024 * 180)])
  try waitUntil("90 degrees a second is a quarter turn, by the right-hand rule", report) {
    turned.withLock { $0.contains { abs($0.x - .pi / 2) < 1e-4 && abs($0.z + .pi) < 1e-4 } }
  }
  try waitUntil("a gyroscope without events has no rotation", report) { MoGyro.reading.speed == 0 }
  MoGyro.stop()

  // hid-wiimote: yaw, roll and pitch of 8192 · 9 / 440 counts for a degree and second, no property, no resolution.
  let remote = try VirtualInput(
    "Nintendo Wii Remote Motion Plus", axes: [ABS_RX, ABS_RY, ABS_RZ].map { ($0, -16_000, 16_000, 0) })
  try MoGyro.start(source: "evdev:Nintendo Wii Remote Motion Plus")
  report.check(
    "a Wii remote's is found by its name", MoGyro.source == "evdev:\(remote.path)", MoGyro.source ?? "")
  // SDL_hidapi_wii.c: the pitch counts the other way, and the roll is about an axis towards the player.
  remote.send([(EV_ABS, ABS_RX, 15_081), (EV_ABS, ABS_RY, 7540), (EV_ABS, ABS_RZ, -1676)])
  try waitUntil("its yaw, roll and pitch are about z, y and x", report) {
    turned.withLock { turns in
      turns.contains {
        abs($0.z - .pi / 2) < 1e-3 && abs($0.y + .pi / 4) < 1e-3 && abs($0.x - .pi / 18) < 1e-3
      }
    }
  }
  MoGyro.stop()

  let pressed = Mutex<[String]>([])
  let buttons = try MoButtons.addCallback { button in
    pressed.withLock { $0.append("\(button.isPressed ? "+" : "-")\(button.name)") }
  }
  defer { buttons.cancel() }
  report.check(
    "the pad is found", MoButtons.source == "evdev:\(pad.value?.path ?? "")", MoButtons.source ?? "")
  let trigger = try MoSensor("evdev:\(pad.value?.path ?? "")", "ABS_Z")
  pad.value?.send([(EV_KEY, BTN_SOUTH, 1), (EV_ABS, ABS_Z, 51)])
  pad.value?.send([(EV_KEY, BTN_SOUTH, 0), (EV_ABS, ABS_HAT0X, -1)])
  pad.value?.send([(EV_ABS, ABS_HAT0X, 0), (EV_KEY, BTN_EAST, 1)])
  try waitUntil("its buttons and cross are reported", report) { pressed.withLock { $0.count >= 5 } }
  let told = pressed.withLock { $0 }
  report.check(
    "events keep their order",
    told == ["+BTN_SOUTH", "-BTN_SOUTH", "+BTN_DPAD_LEFT", "-BTN_DPAD_LEFT", "+BTN_EAST"]
      || told == ["+BTN_SOUTH", "-BTN_SOUTH", "+BTN_DPAD_LEFT", "+BTN_EAST", "-BTN_DPAD_LEFT"], "\(told)")
  try waitUntil("a trigger is read by the kernel's name for it", report) { abs(trigger.value - 0.2) < 1e-4 }
  pad.value = nil
  try waitUntil("removing a pad releases its held buttons", report) {
    pressed.withLock { $0.contains("-BTN_EAST") }
  }
  MoButtons.stop()
}
