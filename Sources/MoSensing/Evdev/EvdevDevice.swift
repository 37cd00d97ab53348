import CEvdev
import Glibc
import MoCore

/// A device of the kernel's input system, read through libevdev.
///
/// If the kernel has dropped events (SYN_DROPPED), libevdev compares the device's states before and after the gap, and
/// reports the changes as ordinary events.
///
/// - Thread: any, but one at a time.
package final class EvdevDevice {
  package let path: String
  package let descriptor: Int32
  package let handle: OpaquePointer

  /// An event of the kernel, with its time stamp as host time.
  package struct Event: Equatable, Sendable {
    package var type: UInt16
    package var code: UInt16
    package var value: Int32
    package var time: HostTime

    package init(type: Int32, code: Int32, value: Int32, time: HostTime) {
      self.type = UInt16(type)
      self.code = UInt16(code)
      self.value = value
      self.time = time
    }
  }

  /// Opens the device at a path for a sensor.
  ///
  /// - Throws: `SensorError` if the device does not exist, may not be opened, or is not an input device.
  package convenience init<Reading>(
    path: String, for opening: SensorOpenContext<Reading>
  ) throws(SensorError) {
    try self.init(path: path, noun: opening.noun, advice: opening.advice)
  }

  /// - Parameters:
  ///   - noun: the wanted sensor, such as `an accelerometer`, for the error text.
  ///   - advice: the way to list the available devices.
  /// - Throws: `SensorError` if the device does not exist, may not be opened, or is not an input device.
  package init(
    path: String, noun: String, advice: () -> String = { SensorError.listing }
  ) throws(SensorError) {
    let path = EvdevList.path(of: path)
    let file = Glibc.open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard file >= 0 else {
      throw errno == EACCES || errno == EPERM
        ? .noPermission(path: path) : .noDevice(path: path, advice: advice())
    }
    var device: OpaquePointer?
    guard libevdev_new_from_fd(file, &device) == 0, let device else {
      close(file)
      throw .wrongDevice(path: path, noun: noun, advice: advice())
    }
    self.path = path
    descriptor = file
    handle = device
    // Host time is the raw clock; this is the closest clock that the kernel offers.
    libevdev_set_clock_id(device, CLOCK_MONOTONIC)
  }

  deinit {
    libevdev_free(handle)
    close(descriptor)
  }

  /// The name that the device reports.
  package var title: String { String(cString: libevdev_get_name(handle)) }

  package func has(_ type: Int32, _ code: Int32) -> Bool {
    libevdev_has_event_code(handle, UInt32(type), UInt32(code)) == 1
  }

  /// Whether the device has keys or buttons at all.
  package var hasKeys: Bool { libevdev_has_event_type(handle, UInt32(EV_KEY)) == 1 }

  package func has(property: Int32) -> Bool { libevdev_has_property(handle, UInt32(property)) == 1 }

  /// Returns the last value of an axis or key.
  package func value(_ type: Int32, _ code: Int32) -> Int32 {
    libevdev_get_event_value(handle, UInt32(type), UInt32(code))
  }

  /// Returns the range of an axis; nil if there is no such axis.
  package func axis(_ code: Int32) -> input_absinfo? { libevdev_get_abs_info(handle, UInt32(code))?.pointee }

  /// Returns the last value of an axis in a multi-touch slot, which holds a finger.
  package func value(slot: Int32, _ code: Int32) -> Int32 {
    libevdev_get_slot_value(handle, UInt32(slot), UInt32(code))
  }

  /// Grabs the device, so that no other program gets its events; returns false if another program has done so.
  package func grab() -> Bool { libevdev_grab(handle, LIBEVDEV_GRAB) == 0 }

  /// Reads all waiting events, and passes each event to `deliver`.
  ///
  /// - Throws: `SensorError.wentAway`, with `name` as the name of the device.
  package func drain(as name: String, _ deliver: (Event) -> Void) throws(SensorError) {
    var event = input_event()
    var flag = LIBEVDEV_READ_FLAG_NORMAL
    while true {
      let status = libevdev_next_event(handle, flag.rawValue, &event)
      switch status {
      case Int32(LIBEVDEV_READ_STATUS_SUCCESS.rawValue):
        deliver(read(event))
      case Int32(LIBEVDEV_READ_STATUS_SYNC.rawValue):
        // First the report of the loss, then, event by event, the changes since.
        if flag == LIBEVDEV_READ_FLAG_SYNC { deliver(read(event)) }
        flag = LIBEVDEV_READ_FLAG_SYNC
      case -EAGAIN where flag == LIBEVDEV_READ_FLAG_SYNC:
        flag = LIBEVDEV_READ_FLAG_NORMAL
      case -EAGAIN, -EINTR:
        return
      default:
        throw .wentAway(name: name, reason: String(cString: strerror(-status)))
      }
    }
  }

  private func read(_ event: input_event) -> Event {
    let stamp = Int64(event.time.tv_sec) * 1_000_000_000 + Int64(event.time.tv_usec) * 1000
    return Event(
      type: Int32(event.type), code: Int32(event.code), value: event.value,
      time: SystemClock().hostTime(of: stamp, on: .monotonic))
  }
}
