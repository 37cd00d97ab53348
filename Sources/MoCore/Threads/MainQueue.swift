/// A bounded queue of work for the main thread, which does this work while `MoApp` waits for the program's end.
///
/// - Thread: `put` on any thread; `runAll` on the main thread.
package final class MainQueue: Sendable {
  /// The flag that is up while work waits in the queue.
  package let signal = WakeEvent()
  private let waiting = Locked<[@Sendable () -> Void]>([])

  /// The largest number of closures that wait in the queue.
  static let capacity = 4096

  package init() {}

  /// Appends work; returns false if the queue is full.
  package func put(_ work: @escaping @Sendable () -> Void) -> Bool {
    let hasRoom = waiting.withLock { waiting in
      guard waiting.count < Self.capacity else { return false }
      waiting.append(work)
      return true
    }
    signal.raise()
    return hasRoom
  }

  /// Runs the waiting work, in order.
  package func runAll() {
    signal.lower()
    let work = waiting.withLock { waiting in
      defer { waiting = [] }
      return waiting
    }
    for each in work { each() }
  }
}
