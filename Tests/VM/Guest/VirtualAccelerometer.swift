import CEvdev
import Glibc

/// The values of an accelerometer at a time, in counts.
struct Sample: Equatable {
  var time: Double = 0
  var x: Int32
  var y: Int32
  var z: Int32
}

/// An accelerometer made by uinput, which other programs cannot distinguish from a real one.
///
/// The kernel uses this scale and range for the motion sensor of a DualShock 4 (hid-playstation: 8192 counts per g, 4 g
/// either way). `fuzz` is 0 here, since the kernel would otherwise smooth small changes.
final class VirtualAccelerometer {
  static let countsPerG: Int32 = 8192
  static let range: Int32 = 4 * countsPerG

  /// The path of the device, such as /dev/input/event3.
  let path: String
  private let device: OpaquePointer

  init(name: String = "Virtual accelerometer", countsPerG: Int32 = countsPerG, range: Int32 = range) throws {
    let model = libevdev_new()
    defer { libevdev_free(model) }
    libevdev_set_name(model, name)
    libevdev_set_id_bustype(model, BUS_USB)
    libevdev_enable_property(model, UInt32(INPUT_PROP_ACCELEROMETER))
    var axis = input_absinfo(
      value: 0, minimum: -range, maximum: range, fuzz: 0, flat: 0, resolution: countsPerG)
    for code in [ABS_X, ABS_Y, ABS_Z] {
      libevdev_enable_event_code(model, UInt32(EV_ABS), UInt32(code), &axis)
    }
    var created: OpaquePointer?
    let status = libevdev_uinput_create_from_device(model, LIBEVDEV_UINPUT_OPEN_MANAGED.rawValue, &created)
    guard status == 0, let device = created else { throw Failure(call: "uinput", errno: -status) }
    guard let node = libevdev_uinput_get_devnode(device) else { throw Failure("uinput gave no node") }
    self.device = device
    path = String(cString: node)
  }

  /// Pulls the plug.
  deinit { libevdev_uinput_destroy(device) }

  /// Sends one report immediately.
  ///
  /// The kernel passes on only values that differ from the previous report.
  func send(_ sample: Sample) {
    for (code, value) in [(ABS_X, sample.x), (ABS_Y, sample.y), (ABS_Z, sample.z)] {
      libevdev_uinput_write_event(device, UInt32(EV_ABS), UInt32(code), value)
    }
    libevdev_uinput_write_event(device, UInt32(EV_SYN), UInt32(SYN_REPORT), 0)
  }

  /// Plays a gesture in real time: each sample at its time after the call.
  func play(_ gesture: [Sample]) {
    var begun = timespec()
    clock_gettime(CLOCK_MONOTONIC, &begun)
    for sample in gesture {
      let nanoseconds = begun.tv_nsec + Int(sample.time * 1e9)
      var due = timespec(
        tv_sec: begun.tv_sec + nanoseconds / 1_000_000_000, tv_nsec: nanoseconds % 1_000_000_000)
      clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &due, nil)
      send(sample)
    }
  }

  /// Sends more reports than a reader's queue in the kernel holds, so that the reader gets SYN_DROPPED.
  ///
  /// The reader must have the value `last` afterwards.
  func flood(_ reports: Int = 1000, last: Sample) {
    for number in 0..<Int32(reports) { send(Sample(x: number + 1, y: -number - 1, z: 2 * number + 2)) }
    send(last)
  }
}
