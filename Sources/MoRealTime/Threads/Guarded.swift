/// A value that ordinary threads share, under a lock.
///
/// ThreadSanitizer sees this one, where it does not see how Swift's own `Mutex` waits.
///
/// - Real-time safe: no.
package final class Guarded<Value>: @unchecked Sendable {
  // Unchecked: `value` is guarded by `lock`.
  private let lock = MoMutex()
  private var value: Value

  package init(_ value: Value) { self.value = value }

  /// Runs `body` with the value and nobody else at it.
  package func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
    lock.acquire()
    defer { lock.release() }
    return try body(&value)
  }
}
