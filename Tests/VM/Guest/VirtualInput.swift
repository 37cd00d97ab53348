import CEvdev
import Glibc

/// An input device made by uinput, with any axes and keys.
final class VirtualInput {
  /// The path of the device, such as /dev/input/event3.
  let path: String
  private let device: OpaquePointer

  /// An axis: its code, its range, and units per mm, per g, or per degree per second.
  typealias Axis = (code: Int32, least: Int32, most: Int32, resolution: Int32)

  init(_ name: String, property: Int32? = nil, axes: [Axis], keys: [Int32] = []) throws {
    let model = libevdev_new()
    defer { libevdev_free(model) }
    libevdev_set_name(model, name)
    libevdev_set_id_bustype(model, BUS_USB)
    if let property { libevdev_enable_property(model, UInt32(property)) }
    for axis in axes {
      var info = input_absinfo(
        value: 0, minimum: axis.least, maximum: axis.most, fuzz: 0, flat: 0, resolution: axis.resolution)
      libevdev_enable_event_code(model, UInt32(EV_ABS), UInt32(axis.code), &info)
    }
    for key in keys { libevdev_enable_event_code(model, UInt32(EV_KEY), UInt32(key), nil) }
    var created: OpaquePointer?
    let status = libevdev_uinput_create_from_device(model, LIBEVDEV_UINPUT_OPEN_MANAGED.rawValue, &created)
    guard status == 0, let device = created else { throw Failure(call: "uinput", errno: -status) }
    guard let node = libevdev_uinput_get_devnode(device) else { throw Failure("uinput gave no node") }
    self.device = device
    path = String(cString: node)
  }

  /// Pulls the plug.
  deinit { libevdev_uinput_destroy(device) }

  /// Sends one report immediately: type, code and value of each event.
  func send(_ events: [(Int32, Int32, Int32)]) {
    for (type, code, value) in events {
      libevdev_uinput_write_event(device, UInt32(type), UInt32(code), value)
    }
    libevdev_uinput_write_event(device, UInt32(EV_SYN), UInt32(SYN_REPORT), 0)
  }
}
