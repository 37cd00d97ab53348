import CEvdev
import Glibc
import MoProgram
import MoTime

/// An accelerometer of the kernel's input system, read through libevdev.
///
/// A reading is made at every SYN_REPORT, with the kernel's time stamp. After SYN_DROPPED libevdev works out
/// what was missed, and the next reading is right again. A device that lies quite still reports nothing: what it
/// said last is then repeated for a while.
final class EvdevAccelerometer: InputSource {
  let name: String
  let descriptor: Int32?
  private let file: Int32
  private let device: OpaquePointer
  private let unitsPerG: SIMD3<Float>
  private let deliver: AccelDelivery
  private var held = HeldReading()

  /// - Throws: `AccelError` where the device is not there, not permitted, or no accelerometer.
  init(path: String, deliver: @escaping AccelDelivery) throws(AccelError) {
    name = "evdev:\(path)"
    self.deliver = deliver
    (file, device) = try EvdevAccelerometer.open(path)
    descriptor = file
    unitsPerG = SIMD3(
      EvdevAccelerometer.unitsPerG(device, ABS_X), EvdevAccelerometer.unitsPerG(device, ABS_Y),
      EvdevAccelerometer.unitsPerG(device, ABS_Z))
    // Host time is the raw clock; the kernel offers the one next to it.
    libevdev_set_clock_id(device, CLOCK_MONOTONIC)
  }

  deinit {
    libevdev_free(device)
    close(file)
  }

  var nextTime: HostTime? { held.nextTime }

  func service(until now: HostTime) throws {
    try drain()
    while let reading = held.next(until: now) { deliver(reading) }
  }

  private func drain() throws {
    var event = input_event()
    var flag = LIBEVDEV_READ_FLAG_NORMAL
    while true {
      let status = libevdev_next_event(device, flag.rawValue, &event)
      switch status {
      case Int32(LIBEVDEV_READ_STATUS_SUCCESS.rawValue):
        take(event)
      case Int32(LIBEVDEV_READ_STATUS_SYNC.rawValue):
        // First the report of the loss, then, event by event, what changed meanwhile.
        if flag == LIBEVDEV_READ_FLAG_SYNC { take(event) }
        flag = LIBEVDEV_READ_FLAG_SYNC
      case -EAGAIN where flag == LIBEVDEV_READ_FLAG_SYNC:
        flag = LIBEVDEV_READ_FLAG_NORMAL
      case -EAGAIN, -EINTR:
        return
      default:
        throw AccelError.wentAway(name: name, reason: String(cString: strerror(-status)))
      }
    }
  }

  private func take(_ event: input_event) {
    guard event.type == UInt16(EV_SYN), event.code == UInt16(SYN_REPORT) else { return }
    let stamp = Int64(event.time.tv_sec) * 1_000_000_000 + Int64(event.time.tv_usec) * 1000
    let reading = AccelReading(
      time: SystemClock().hostTime(of: stamp, on: .monotonic), x: value(ABS_X) / unitsPerG.x,
      y: value(ABS_Y) / unitsPerG.y, z: value(ABS_Z) / unitsPerG.z)
    held.note(reading)
    deliver(reading)
  }

  private func value(_ axis: Int32) -> Float {
    Float(libevdev_get_event_value(device, UInt32(EV_ABS), UInt32(axis)))
  }

  /// What one g reads on an axis: its resolution, which the kernel defines as units per g for accelerometers;
  /// for a driver that gives none, half its positive range, as ±2 g is what such parts are set to.
  private static func unitsPerG(_ device: OpaquePointer, _ axis: Int32) -> Float {
    guard let info = libevdev_get_abs_info(device, UInt32(axis)) else { return 1 }
    if info.pointee.resolution > 0 { return Float(info.pointee.resolution) }
    return max(1, Float(info.pointee.maximum) / 2)
  }

  private static func open(_ path: String) throws(AccelError) -> (Int32, OpaquePointer) {
    let file = Glibc.open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard file >= 0 else {
      throw errno == EACCES || errno == EPERM ? .noPermission(path: path) : .noDevice(path: path)
    }
    var device: OpaquePointer?
    guard libevdev_new_from_fd(file, &device) == 0, let device else {
      close(file)
      throw .notAnAccelerometer(path: path)
    }
    let axes = [ABS_X, ABS_Y, ABS_Z].allSatisfy {
      libevdev_has_event_code(device, UInt32(EV_ABS), UInt32($0)) == 1
    }
    guard axes, libevdev_has_property(device, UInt32(INPUT_PROP_ACCELEROMETER)) == 1 else {
      libevdev_free(device)
      close(file)
      throw .notAnAccelerometer(path: path)
    }
    return (file, device)
  }
}
