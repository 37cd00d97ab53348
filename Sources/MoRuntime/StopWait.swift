import Glibc
import MoCore

/// Waiting that Ctrl-C ends, so that a summary can still be printed.
///
/// - Thread: made on the main thread before any other thread is, since threads inherit which signals are kept back.
package struct StopWait {
  private var signals = sigset_t()

  /// Keeps Ctrl-C, and the other ways of asking a program to end, for `wait`.
  package init() {
    sigemptyset(&signals)
    for number in [SIGINT, SIGTERM, SIGHUP] { sigaddset(&signals, number) }
    pthread_sigmask(SIG_BLOCK, &signals, nil)
  }

  /// Keeps nothing back any more: who asks a second time, while all is being put away, ends the program at once.
  package func letGo() {
    var signals = self.signals
    pthread_sigmask(SIG_UNBLOCK, &signals, nil)
  }

  /// Ends the wait, from any thread.
  package static func end() { kill(getpid(), SIGTERM) }

  /// Waits until a moment, for ever without one; true where the program was asked to end.
  package func wait(until end: HostTime = .distantFuture) -> Bool { signal(until: end) != nil }

  /// Waits until a moment for a signal; which it was, nil where none came.
  package func signal(until end: HostTime) -> Int32? {
    var signals = signals
    while true {
      // At most an hour a step: the kernel's clock is not the one that is waited by.
      let left = min(end.nanoseconds(since: SystemClock().now), 3_600_000_000_000)
      let pause = end == .distantFuture ? 3_600_000_000_000 : max(left, 0)
      var limit = timespec(tv_sec: Int(pause / 1_000_000_000), tv_nsec: Int(pause % 1_000_000_000))
      let number = sigtimedwait(&signals, nil, &limit)
      if number > 0 { return number }
      if end != .distantFuture && SystemClock().now >= end { return nil }
    }
  }
}
