import Glibc
import MoMu
import MoSensing
import Synchronization

/// MoAccel and MoGyro on the kernel's own drivers of Industrial I/O: they read a HID sensor hub from its buffer.
func checkIIO(_ report: Report) throws {
  let hub = try VirtualSensorHub()
  func device(_ title: String) -> String? {
    (0..<8).map { "/sys/bus/iio/devices/iio:device\($0)" }.first { folder in
      let file = open("\(folder)/name", O_RDONLY)
      guard file >= 0 else { return false }
      defer { close(file) }
      var bytes = [UInt8](repeating: 0, count: 64)
      let count = read(file, &bytes, bytes.count)
      return count > 0 && String(decoding: bytes[..<count], as: UTF8.self).hasPrefix(title)
    }
  }
  try waitUntil("the kernel creates an accelerometer and a gyroscope", report) {
    device("accel_3d") != nil && device("gyro_3d") != nil
  }
  let accel = String(device("accel_3d")?.suffix(1) ?? "0")
  let gyro = String(device("gyro_3d")?.suffix(1) ?? "0")

  // Polled value by value, it answers like a device that lies on its face: 1000 thousandths of a g, by Windows' signs.
  // The device is released afterwards, since the driver treats each answer as a scan, too.
  do {
    let z = try MoSensor("iio:\(accel)", "accel_z")
    try waitUntil("a named channel gives its values in m/s²", report) {
      abs(z.value - 9.80665) < 0.01
    }
  }

  let moved = Mutex<[Motion]>([])
  let token = try MoAccel.addCallback { motion in moved.withLock { $0.append(motion) } }
  defer { token.cancel() }
  report.check("the accelerometer is found", MoAccel.source == "iio:\(accel)", MoAccel.source ?? "")
  pause(0.5)
  moved.withLock { $0 = [] }
  let clock = SystemClock()
  let begun = clock.now
  for step in 0..<100 {
    try hub.send(VirtualSensorHub.accel, Int16(-step * 10), Int16(step), -1000)
    pause(0.01)
  }
  pause(0.1)
  let motions = moved.withLock { $0 }
  report.check("every scan arrives", motions.count == 100, "\(motions.count)")
  report.check(
    "readings are in g",
    motions.enumerated().allSatisfy {
      abs($1.x - Float($0) * 0.01) < 1e-3 && abs($1.y + Float($0) * 0.001) < 1e-3 && abs($1.z - 1) < 1e-3
    }, "\(motions.first.map { "\($0.x) \($0.y) \($0.z)" } ?? "")")
  let first = motions.first?.time.seconds(since: begun) ?? 9
  report.check("scans have the kernel's timestamps, within 1 ms", abs(first) < 0.001, "\(first) s")

  let turned = Mutex<[Rotation]>([])
  let turns = try MoGyro.addCallback { rotation in turned.withLock { $0.append(rotation) } }
  defer { turns.cancel() }
  report.check("the gyroscope is found", MoGyro.source == "iio:\(gyro)", MoGyro.source ?? "")
  pause(0.5)
  try hub.send(VirtualSensorHub.gyro, 0, 0, 900)
  try waitUntil("90 degrees a second is a quarter turn", report) {
    turned.withLock { $0.contains { abs($0.z - .pi / 2) < 0.01 } }
  }
  hub.unplug()
  try waitUntil("reports a removed hub, and a simulated source replaces it", report) {
    MoAccel.source == "sim:shake"
  }
  MoGyro.stop()
  MoAccel.stop()
}
