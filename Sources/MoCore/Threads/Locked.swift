/// A value that ordinary threads share, under a lock.
///
/// ThreadSanitizer sees this one, where it does not see how Swift's own `Mutex` waits.
///
/// Inlined where it is used: a generic call asks for the types of all that goes through it, at every reading.
///
/// - Real-time safe: no.
@usableFromInline
package final class Locked<Value>: @unchecked Sendable {
  // Unchecked: `value` is guarded by `lock`.
  @usableFromInline let lock = MoMutex()
  @usableFromInline var value: Value

  package init(_ value: Value) { self.value = value }

  /// Runs `body` with the value and nobody else at it.
  @inlinable
  package func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
    lock.acquire()
    defer { lock.release() }
    return try body(&value)
  }
}
