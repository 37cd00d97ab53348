import MoCore

/// A queue whose values a single thread at a time handles, in order; no thread waits for another.
///
/// A thread may add a value while another thread handles earlier values, perhaps in a slow callback. If the thread
/// waited for that callback, and the callback waited for the thread, both would hang. So the thread does not wait.
///
/// - Thread: any but the audio thread's callback.
package final class DeliveryQueue<Value: Sendable>: @unchecked Sendable {
  // Unchecked: the variables are guarded by `lock`.
  private let lock = MoMutex()
  private var waiting: [Value] = []
  /// The values that the present call of `handle` has not yet handled, the next value last.
  private var batch: [Value] = []
  private var isHandling = false
  private let limit: Int
  private var loss = Loss.none

  private enum Loss { case none, unreported, reported }

  /// Creates a queue in which at most `limit` values wait; further values are dropped.
  package init(limit: Int) { self.limit = limit }

  package func add(_ value: Value) {
    lock.withLock {
      if waiting.count < limit {
        waiting.append(value)
      } else if loss == .none {
        loss = .unreported
      }
    }
  }

  /// Returns whether the queue has dropped values since it was last handled; only the first call returns true.
  package func takeNewLoss() -> Bool {
    lock.withLock {
      defer { if loss == .unreported { loss = .reported } }
      return loss == .unreported
    }
  }

  /// Drops the values that no thread has begun to handle.
  ///
  /// If a call of `handle` runs, it calls its function for no further value.
  package func removeAll() {
    lock.withLock {
      waiting.removeAll()
      batch.removeAll()
    }
  }

  /// Handles the values that wait; returns immediately if values are being handled, by another thread or by an earlier
  /// call on this thread.
  ///
  /// - Returns: whether values were added meanwhile. The caller then calls the function again, or has another thread
  ///   call it.
  package func handle(_ body: (Value) -> Void) -> Bool {
    let hasBegun = lock.withLock { () -> Bool in
      guard !isHandling, !waiting.isEmpty else { return false }
      isHandling = true
      if loss == .reported { loss = .none }
      batch = waiting.reversed()
      waiting = []
      return true
    }
    guard hasBegun else { return false }
    while let value = lock.withLock({ batch.popLast() }) { body(value) }
    return lock.withLock {
      isHandling = false
      return !waiting.isEmpty
    }
  }
}
