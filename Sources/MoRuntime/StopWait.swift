import Glibc
import MoCore

/// A wait that Ctrl-C ends, so that the program can still print a summary.
///
/// - Thread: created on the main thread before any other thread exists, since threads inherit the blocked signals.
package struct StopWait {
  private var signals: sigset_t

  /// Blocks Ctrl-C, and the other signals that ask a program to end, so that `wait` receives them.
  ///
  /// - Parameter receivesIgnoredHangUp: whether `wait` also receives a SIGHUP that is set to be ignored.
  package init(receivesIgnoredHangUp: Bool = false) {
    signals = EndSignals.received
    if receivesIgnoredHangUp { sigaddset(&signals, SIGHUP) }
    pthread_sigmask(SIG_BLOCK, &signals, nil)
  }

  /// Unblocks the signals: a second Ctrl-C, while the program cleans up, then ends the program immediately.
  package func letGo() {
    var signals = self.signals
    pthread_sigmask(SIG_UNBLOCK, &signals, nil)
  }

  /// Ends the wait, as Ctrl-C does; call it on any thread.
  package static func end() { kill(getpid(), SIGTERM) }

  /// Waits until the time `end`, by default for ever; returns true if a signal asked the program to end before that
  /// time.
  package func wait(until end: HostTime = .distantFuture) -> Bool { signal(until: end) != nil }

  /// Waits for a signal until the time `end`; returns the signal's number, or nil if no signal came.
  package func signal(until end: HostTime) -> Int32? {
    var signals = signals
    while true {
      // At most an hour per step: the kernel's clock is not the clock of `end`.
      let left = min(end.nanoseconds(since: SystemClock().now), 3_600_000_000_000)
      let pause = end == .distantFuture ? 3_600_000_000_000 : max(left, 0)
      var limit = timespec(tv_sec: Int(pause / 1_000_000_000), tv_nsec: Int(pause % 1_000_000_000))
      let number = sigtimedwait(&signals, nil, &limit)
      if number > 0 { return number }
      if end != .distantFuture && SystemClock().now >= end { return nil }
    }
  }
}

/// The signals that ask a program to end.
package enum EndSignals {
  /// SIGINT (Ctrl-C), SIGTERM and SIGHUP.
  package static let all = [SIGINT, SIGTERM, SIGHUP]

  /// The signals at which a program ends: all, without a SIGHUP that is set to be ignored.
  ///
  /// SIGHUP must not be blocked then: the kernel keeps an ignored signal for `sigwait` while it is blocked. An ignored
  /// SIGINT is in the set, since a shell script ignores it for each program that it starts with `&`. Ctrl-C at the
  /// script ends these programs, too.
  package static var received: sigset_t {
    var signals = sigset_t()
    sigemptyset(&signals)
    for number in all where number != SIGHUP || !isIgnored(number) { sigaddset(&signals, number) }
    return signals
  }

  /// Returns whether the parent process set the signal to be ignored, as nohup does with SIGHUP.
  package static func isIgnored(_ number: Int32) -> Bool {
    var action = sigaction()
    sigaction(number, nil, &action)
    return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
      == unsafeBitCast(SIG_IGN, to: Int.self)
  }
}
