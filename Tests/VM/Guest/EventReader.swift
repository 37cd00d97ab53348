import CEvdev
import Glibc

/// Reads an input device through libevdev, without MoMu.
final class EventReader {
  let device: OpaquePointer
  private let descriptor: Int32
  private var now = Sample(x: 0, y: 0, z: 0)
  private(set) var drops = 0

  init(_ path: String) throws {
    descriptor = open(path, O_RDONLY | O_NONBLOCK)
    guard descriptor >= 0 else { throw Failure(call: "open \(path)") }
    var opened: OpaquePointer?
    let status = libevdev_new_from_fd(descriptor, &opened)
    guard status == 0, let device = opened else { throw Failure(call: "libevdev", errno: -status) }
    self.device = device
    libevdev_set_clock_id(device, CLOCK_MONOTONIC)
  }

  deinit {
    libevdev_free(device)
    close(descriptor)
  }

  /// Returns all samples since the last call, one for each report, with the kernel's timestamps.
  func read() throws -> [Sample] {
    var samples: [Sample] = []
    var mode = LIBEVDEV_READ_FLAG_NORMAL.rawValue
    while true {
      var event = input_event()
      let status = libevdev_next_event(device, mode, &event)
      if status == -EAGAIN {
        guard mode == LIBEVDEV_READ_FLAG_SYNC.rawValue else { return samples }
        mode = LIBEVDEV_READ_FLAG_NORMAL.rawValue
        continue
      }
      guard status >= 0 else { throw Failure(call: "read", errno: -status) }
      if status == Int32(LIBEVDEV_READ_STATUS_SYNC.rawValue), mode == LIBEVDEV_READ_FLAG_NORMAL.rawValue {
        drops += 1
        mode = LIBEVDEV_READ_FLAG_SYNC.rawValue
        continue
      }
      switch (Int32(event.type), Int32(event.code)) {
      case (EV_ABS, ABS_X): now.x = event.value
      case (EV_ABS, ABS_Y): now.y = event.value
      case (EV_ABS, ABS_Z): now.z = event.value
      case (EV_SYN, SYN_REPORT):
        now.time = Double(event.time.tv_sec) + Double(event.time.tv_usec) / 1e6
        samples.append(now)
      default: break
      }
    }
  }
}
