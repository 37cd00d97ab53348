import Glibc
import Synchronization

/// The callbacks of one server: added and cancelled from anywhere, called from the server's own thread.
///
/// - Real-time safe: no.
package final class CallbackList<Value: Sendable>: Sendable {
  private final class Entry: Sendable {
    let function: @Sendable (Value) -> Void
    let running = MoMutex()
    let caller = Atomic<UInt>(0)
    let isCancelled = Atomic<Bool>(false)

    init(_ function: @escaping @Sendable (Value) -> Void) { self.function = function }

    func call(_ value: Value) {
      running.withLock {
        guard !isCancelled.load(ordering: .acquiring) else { return }
        caller.store(UInt(pthread_self()), ordering: .releasing)
        function(value)
        caller.store(0, ordering: .releasing)
      }
    }

    func cancel() {
      isCancelled.store(true, ordering: .releasing)
      // Inside its own callback this thread holds the lock already.
      guard caller.load(ordering: .acquiring) != UInt(pthread_self()) else { return }
      running.withLock {}
    }
  }

  private let entries = Mutex<[Entry]>([])

  var isEmpty: Bool { entries.withLock { $0.isEmpty } }

  package init() {}

  @discardableResult
  package func add(_ function: @escaping @Sendable (Value) -> Void) -> MoToken {
    let entry = Entry(function)
    entries.withLock { $0.append(entry) }
    return MoToken { [weak self] in
      self?.entries.withLock { list in list.removeAll { $0 === entry } }
      entry.cancel()
    }
  }

  /// Calls every callback in the order they were added, without holding the list.
  package func call(_ value: Value) {
    for entry in entries.withLock({ $0 }) { entry.call(value) }
  }
}
