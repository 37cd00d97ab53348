import CMoSystem
import Glibc

/// A lock for data that ordinary threads share.
///
/// Never use the lock in an audio callback: `--check-realtime` stops a program that does so.
///
/// A thread that holds the lock inherits the priority of the most urgent waiting thread.
///
/// - Thread: any but the audio thread's callback.
/// - Real-time safe: no.
public final class MoMutex: @unchecked Sendable {
  // Unchecked: a pthread mutex may be shared as long as its memory does not move.
  private let handle: UnsafeMutablePointer<pthread_mutex_t>

  /// Creates a lock that no thread holds.
  public convenience init() { self.init(inheritsPriority: true) }

  /// Creates a lock that no thread holds.
  ///
  /// - Parameter inheritsPriority: false for a lock that threads of equal priority hold only briefly; locking then
  ///   takes half the time.
  package init(inheritsPriority: Bool) {
    handle = .allocate(capacity: 1)
    var attributes = pthread_mutexattr_t()
    pthread_mutexattr_init(&attributes)
    if inheritsPriority { pthread_mutexattr_setprotocol(&attributes, Int32(PTHREAD_PRIO_INHERIT)) }
    pthread_mutex_init(handle, &attributes)
    pthread_mutexattr_destroy(&attributes)
  }

  deinit {
    pthread_mutex_destroy(handle)
    handle.deallocate()
  }

  /// Waits until no other thread holds the lock, then locks it.
  ///
  /// A thread that already holds the lock must not acquire it again.
  public func acquire() {
    RealTimeCheck.notifyLock("MoMutex.acquire")
    pthread_mutex_lock(handle)
  }

  /// Locks the lock and returns true if no thread holds it; otherwise returns false immediately.
  package func tryAcquire() -> Bool { pthread_mutex_trylock(handle) == 0 }

  /// Unlocks the lock.
  public func release() { pthread_mutex_unlock(handle) }

  /// Runs `body` with the lock held, and unlocks it even if `body` throws.
  @inlinable
  public func withLock<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result
  {
    acquire()
    defer { release() }
    return try body()
  }
}

/// A value that ordinary threads share, protected by a lock.
///
/// ThreadSanitizer understands this lock, but not how Swift's own `Mutex` waits.
///
/// `withLock` is inlined at each use, since a call of a generic function would look up the value's type each time.
///
/// - Real-time safe: no.
@usableFromInline
package final class Locked<Value>: @unchecked Sendable {
  // Unchecked: `value` is guarded by `lock`.
  @usableFromInline let lock = MoMutex()
  @usableFromInline var value: Value

  package init(_ value: Value) { self.value = value }

  /// Runs `body` with the value, while no other thread can access the value.
  @inlinable
  package func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
    lock.acquire()
    defer { lock.release() }
    return try body(&value)
  }
}
