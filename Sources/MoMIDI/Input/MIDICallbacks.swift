import Glibc
import MoCore
import Synchronization

/// The callbacks of a server whose thread must neither lock nor allocate when it calls them.
///
/// The calling thread keeps its own copy of the list. Only after a change of the list does it take the lock.
///
/// - Thread: `add` and a token's `cancel` from any; `call` from one thread at a time.
/// - Real-time safe: `call` is, except for the first call after a change.
package final class MIDICallbacks<Value>: @unchecked Sendable {
  // Unchecked: `lock` guards `entries`; `copy` and `known` belong to the calling thread.
  private let lock = MoMutex()
  private var entries: [Entry] = []
  private let generation = Atomic<Int>(0)
  private var copy: [Entry] = []
  private var known = 0

  private final class Entry: Sendable {
    let body: @Sendable (borrowing Value) -> Void
    let isClosed = Atomic<Bool>(false)
    /// The thread that runs the callback now; 0 for none.
    let caller = Atomic<UInt>(0)

    init(_ body: @escaping @Sendable (borrowing Value) -> Void) { self.body = body }

    func call(_ value: borrowing Value, on thread: UInt) {
      let outer = caller.exchange(thread, ordering: .sequentiallyConsistent)
      // Either this load sees the closing, or `close` sees the caller.
      if !isClosed.load(ordering: .sequentiallyConsistent) { body(value) }
      caller.store(outer, ordering: .sequentiallyConsistent)
    }

    /// Prevents further calls of the callback, and waits until a running call has ended.
    ///
    /// If the callback itself calls `close`, the function returns immediately.
    func close() {
      isClosed.store(true, ordering: .sequentiallyConsistent)
      let own = UInt(pthread_self())
      while true {
        let thread = caller.load(ordering: .sequentiallyConsistent)
        if thread == 0 || thread == own { return }
        usleep(100)
      }
    }
  }

  package init() {}

  /// Adds a callback; `cancel()` of the token removes it.
  package func add(_ body: @escaping @Sendable (borrowing Value) -> Void) -> MoToken {
    let entry = Entry(body)
    change { $0.append(entry) }
    return MoToken { [weak self] in
      self?.change { entries in entries.removeAll { $0 === entry } }
      entry.close()
    }
  }

  /// Calls every callback, in the order in which they were added.
  package func call(_ value: borrowing Value) {
    if generation.load(ordering: .acquiring) != known {
      lock.withLock { (copy, known) = (entries, generation.load(ordering: .relaxed)) }
    }
    let thread = UInt(pthread_self())
    for entry in copy { entry.call(value, on: thread) }
  }

  private func change(_ body: (inout [Entry]) -> Void) {
    lock.withLock {
      body(&entries)
      generation.wrappingAdd(1, ordering: .releasing)
    }
  }
}
