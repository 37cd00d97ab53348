/// A value that ordinary threads share, under a lock.
///
/// ThreadSanitizer understands this lock, but not how Swift's own `Mutex` waits.
///
/// It is inlined at each use: a generic call would look up the types of all its values at every reading.
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
