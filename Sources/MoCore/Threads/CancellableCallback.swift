import Glibc
import Synchronization

/// Lets the calls of a callback through, one at a time, until it is closed; holds what they need until then.
///
/// What is held is let go when the gate closes and no call runs, with no lock held: it may end with whatever it likes.
///
/// - Thread: any.
@usableFromInline
package final class CancellableCallback<Held: Sendable>: @unchecked Sendable {
  // Unchecked: `held` is guarded by `running`.
  @usableFromInline let running: MoMutex
  @usableFromInline let caller = Atomic<UInt>(0)
  @usableFromInline let isClosed = Atomic<Bool>(false)
  @usableFromInline var held: Held?

  /// - Parameter inheritsPriority: as for `MoMutex`.
  package init(_ held: Held, inheritsPriority: Bool = true) {
    self.held = held
    running = MoMutex(inheritsPriority: inheritsPriority)
  }

  /// Calls with what is held; nil where the gate is closed.
  ///
  /// A call that comes from within a call, as by an event that a callback causes, goes through as part of it.
  @inlinable
  package func pass<Result>(_ call: (Held) -> Result) -> Result? {
    let me = UInt(pthread_self())
    guard caller.load(ordering: .relaxed) != me else {
      return isClosed.load(ordering: .relaxed) ? nil : held.map(call)
    }
    running.acquire()
    guard !isClosed.load(ordering: .acquiring), let held else {
      running.release()
      return nil
    }
    caller.store(me, ordering: .relaxed)
    let result = call(held)
    caller.store(0, ordering: .relaxed)
    running.release()
    // Only now that the lock is open may what was held be let go.
    withExtendedLifetime(held) {}
    return result
  }

  /// Lets no more calls through; returns when none is running, or at once from within one.
  package func close() {
    isClosed.store(true, ordering: .releasing)
    let isWithin = caller.load(ordering: .relaxed) == UInt(pthread_self())
    if !isWithin { running.acquire() }
    let last = held
    held = nil
    if !isWithin { running.release() }
    withExtendedLifetime(last) {}
  }
}
