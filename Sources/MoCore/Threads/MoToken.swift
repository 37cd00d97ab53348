import Glibc
import Synchronization

/// The result of a call such as `addCallback`; its `cancel()` removes the callback.
///
/// If you drop the token, nothing changes: the callback stays until `cancel()`. A callback of a `MoSensor` also ends
/// when the program no longer holds that object.
public final class MoToken: Sendable {
  private let action: @Sendable () -> Void

  package init(_ action: @escaping @Sendable () -> Void) { self.action = action }

  /// Stops the calls of the callback.
  ///
  /// `cancel()` returns when no call of the callback is running. Inside the callback itself, `cancel()` returns
  /// immediately, and the running call is the last.
  ///
  /// - Thread: any but the audio thread's callback, since it may wait for a running call.
  public func cancel() { action() }
}

/// A holder of the object that a callback uses: it passes the object to one call at a time, and to none after
/// `close()`.
///
/// After `close()`, the object is released as soon as no call runs. No lock is held then, so the object's `deinit` may
/// do anything.
///
/// - Thread: any.
@usableFromInline
package final class CancellableCallback<Held: Sendable>: @unchecked Sendable {
  // Unchecked: `held` is guarded by `running`.
  @usableFromInline let running: MoMutex
  @usableFromInline let caller = Atomic<UInt>(0)
  @usableFromInline let isClosed = Atomic<Bool>(false)
  @usableFromInline var held: Held?

  /// Creates a holder that holds an object until `close()`.
  ///
  /// - Parameter inheritsPriority: whether a thread that uses the object inherits the priority of the most urgent
  ///   thread that waits for the object.
  package init(_ held: Held, inheritsPriority: Bool = true) {
    self.held = held
    running = MoMutex(inheritsPriority: inheritsPriority)
  }

  /// Calls the closure with the held object, and returns its result; returns nil after `close()`.
  ///
  /// If a running call leads to a further call on the same thread, the further call runs without a wait.
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
    // The held object may be released only now, after the lock is open.
    withExtendedLifetime(held) {}
    return result
  }

  /// Cancels all further calls of `pass`, and waits until no call runs; within a call, `close()` does not wait.
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
