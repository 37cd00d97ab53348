import Glibc
import Synchronization

/// A thread that does one task, and for which a caller can wait.
final class Background: Sendable {
  private let work: @Sendable () throws -> Void
  private let outcome = Mutex<Result<Void, any Error>?>(nil)
  private let thread = Mutex(pthread_t())

  /// Whether the task is finished.
  var isDone: Bool { outcome.withLock { $0 != nil } }

  init(_ work: @escaping @Sendable () throws -> Void) {
    self.work = work
    let me = Unmanaged.passRetained(self).toOpaque()
    thread.withLock { thread in
      _ = pthread_create(
        &thread, nil,
        { me in
          let background = Unmanaged<Background>.fromOpaque(me!).takeRetainedValue()
          let result = Result { try background.work() }
          background.outcome.withLock { $0 = result }
          return nil
        }, me)
    }
  }

  /// Waits for the end, and rethrows the task's error.
  ///
  /// May be called only once.
  func wait() throws {
    pthread_join(thread.withLock { $0 }, nil)
    try outcome.withLock { $0 }?.get()
  }
}

/// Sleeps in the guest's virtual time, which costs no real time.
func pause(_ seconds: Double) { usleep(UInt32(seconds * 1_000_000)) }

/// Passes a value to a thread.
///
/// Safe only while one thread at a time uses it, which `Background.wait` ensures.
final class Sending<Value>: @unchecked Sendable {
  var value: Value
  init(_ value: Value) { self.value = value }
}
