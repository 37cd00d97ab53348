import MoCore
import Synchronization

/// A shared value: the time since which the program has been waiting for a missing device; nil if it waits for no
/// device.
///
/// The object that waits for the device sets the time, and `DeviceWatch` reads the time at each turn of the event loop.
///
/// - Thread: any.
package final class AwaitedDevice: Sendable {
  private let nanoseconds = Atomic<Int64>(.min)

  package init() {}

  /// The time since which the device is awaited; nil while no device is awaited.
  package var since: HostTime? {
    get {
      let nanoseconds = nanoseconds.load(ordering: .relaxed)
      return nanoseconds == .min ? nil : HostTime(nanoseconds: nanoseconds)
    }
    set { nanoseconds.store(newValue?.nanoseconds ?? .min, ordering: .relaxed) }
  }
}
