/// Work for the main thread, which `MoApp` does while it waits; bounded.
///
/// - Thread: any puts, the main thread runs.
package final class MainQueue: Sendable {
  /// Raised while something waits.
  package let signal = WakeEvent()
  private let waiting = Locked<[@Sendable () -> Void]>([])

  /// How much waits at most.
  static let capacity = 4096

  package init() {}

  /// Puts work at the end; false where there is no room.
  package func put(_ work: @escaping @Sendable () -> Void) -> Bool {
    let hasRoom = waiting.withLock { waiting in
      guard waiting.count < Self.capacity else { return false }
      waiting.append(work)
      return true
    }
    signal.raise()
    return hasRoom
  }

  /// Does what waits, in order.
  package func runAll() {
    signal.lower()
    let work = waiting.withLock { waiting in
      defer { waiting = [] }
      return waiting
    }
    for each in work { each() }
  }
}
