import MoCore
import Synchronization

/// The time at which the program began to wait for a missing device; nil while it waits for none.
///
/// The object that waits for the device sets the time, and `DeviceWatch` reads the time at each turn of the event loop.
///
/// - Thread: any.
package final class AwaitedDevice: Sendable {
  private let nanoseconds = Atomic<Int64>(.min)

  package init() {}

  /// The start of the wait; nil while no device is awaited.
  package var since: HostTime? {
    get {
      let nanoseconds = nanoseconds.load(ordering: .relaxed)
      return nanoseconds == .min ? nil : HostTime(nanoseconds: nanoseconds)
    }
    set { nanoseconds.store(newValue?.nanoseconds ?? .min, ordering: .relaxed) }
  }
}
