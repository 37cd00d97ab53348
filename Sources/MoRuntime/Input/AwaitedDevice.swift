import MoCore
import Synchronization

/// Since when a device is waited for, if it is: who waits says it, and whoever looks for it asks at every turn.
///
/// - Thread: any.
package final class AwaitedDevice: Sendable {
  private let nanoseconds = Atomic<Int64>(.min)

  package init() {}

  /// Nil while none is waited for.
  package var since: HostTime? {
    get {
      let nanoseconds = nanoseconds.load(ordering: .relaxed)
      return nanoseconds == .min ? nil : HostTime(nanoseconds: nanoseconds)
    }
    set { nanoseconds.store(newValue?.nanoseconds ?? .min, ordering: .relaxed) }
  }
}
