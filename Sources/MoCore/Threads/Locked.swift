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
